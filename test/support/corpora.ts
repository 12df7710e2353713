import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Where the shared test data lies; it is no part of the project. */
const place = resolve(process.env.EDITLATCH_CORPORA ?? '../shared/corpora')

/** Where a file or folder of the shared test data lies, or would lie. */
export function corpusPath(name: string): string {
  return resolve(place, name)
}

/** A file of the shared test data as text; undefined, with a plain message, where it is not there. */
export function readCorpus(name: string): string | undefined {
  const path = corpusPath(name)
  if (existsSync(path)) return readFileSync(path, 'utf8')
  console.log(`skipped: there is no ${path}; EDITLATCH_CORPORA names the folder of the test data`)
  return undefined
}

/** The cases of a JSON Lines text. */
export function readCases<Case>(text: string | undefined): readonly Case[] {
  return (text ?? '').split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Case]))
}
