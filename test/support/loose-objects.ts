import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectFormat, Oid } from '#src/core/oid.js'
import {
  type MaintenanceRecord,
  readMaintenanceRecord,
} from '#src/gateway/repository/maintenance-record.js'
import type { NewObject } from '#src/io/git/edit-tree.js'
import { hashObject } from '#src/io/git/hash-object.js'
import { writeObjects } from '#src/io/git/object-writer.js'
import type { Random } from './random.js'
import type { TestRepository } from './repository.js'

/** Writes random blobs that nothing leads to, as loose objects; many look like very many, because some lie where git samples. */
export async function fillWithLoose(
  { path }: Pick<TestRepository, 'path'>,
  random: Random,
  { count, bytes = 20, format = 'sha1' }: { count: number; bytes?: number; format?: ObjectFormat },
): Promise<readonly Oid[]> {
  const objects: NewObject[] = []
  while (objects.length < count) {
    const body = longBytes(random, bytes)
    const oid = hashObject(format, 'blob', body)
    const isSampled = objects.length % 10 !== 0 || bytes > 1_000 || oid.startsWith('17')
    if (isSampled) objects.push({ oid, type: 'blob', body })
  }
  const place = { objectsDir: join(path, '.git/objects'), sharing: undefined }
  await writeObjects(place, objects, 'process')
  return objects.map(({ oid }) => oid)
}

function longBytes(random: Random, bytes: number): Buffer {
  return createHash('shake256', { outputLength: bytes }).update(random.bytes(16)).digest()
}

/** Which of these objects git does not find. */
export async function missingOf(
  { gitRaw }: Pick<TestRepository, 'gitRaw'>,
  oids: readonly string[],
): Promise<readonly string[]> {
  const input = oids.map(oid => `${oid}\n`).join('')
  const told = new TextDecoder().decode(await gitRaw(['cat-file', '--batch-check'], { input }))
  return told.split('\n').filter(line => line.endsWith(' missing'))
}

/** The record of the last packing, once it says so. */
export async function recordSaying(
  { path }: Pick<TestRepository, 'path'>,
  state: MaintenanceRecord['state'],
): Promise<MaintenanceRecord> {
  for (;;) {
    const record = readMaintenanceRecord(join(path, '.git'))
    if (record?.state === state) return record
    await sleep(10)
  }
}

/** The files of the pack directory, without the names that are hashes. */
export function packFiles({ path }: Pick<TestRepository, 'path'>): readonly string[] {
  return readdirSync(join(path, '.git/objects/pack'))
    .map(name => name.replace(/(?<=-)[0-9a-f]{40,64}/, '*').replace(/(?<=^tmp_\w+_).*/, '*'))
    .sort()
}
