// The past of the demo repository, oldest commit first. A null text removes the file.

/**
 * @typedef {object} DemoCommit
 * @property {string} message
 * @property {string} author
 * @property {string} date
 * @property {Readonly<Record<string, string | null>>} files
 */

/** @type {readonly DemoCommit[]} */
export const demoCommits = [
  {
    message: 'Say hello',
    author: 'Ada Example',
    date: '2024-03-04T09:00:00+00:00',
    files: {
      'README.md': `# Greeter

Says hello to people, and to more than one of them if need be.
`,
      'package.json': `{
  "name": "greeter",
  "private": true,
  "type": "module",
  "engines": {
    "node": ">=22.18"
  },
  "scripts": {
    "start": "node src/main.ts",
    "test": "node --test"
  }
}
`,
      '.gitignore': 'node_modules/\n*.log\n',
      'src/greet.ts': `/** The greeting for one person. */
export function greet(name: string): string {
  return 'Hello, ' + name
}
`,
      'src/main.ts': `import { greet } from './greet.ts'

const [name = 'world'] = process.argv.slice(2)
console.log(greet(name))
`,
    },
  },
  {
    message: 'Test the greeting',
    author: 'Ada Example',
    date: '2024-03-04T10:30:00+00:00',
    files: {
      'test/greet.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greet } from '../src/greet.ts'

test('a name is greeted', () => {
  assert.equal(greet('Ada'), 'Hello, Ada')
})
`,
    },
  },
  {
    message: `Read a guest list

The list comes from a spreadsheet, which ends its lines with CR LF.`,
    author: 'Ben Example',
    date: '2024-03-05T14:15:00+00:00',
    files: {
      'data/guests.csv': 'name,language\r\nAda,en\r\nBjörn,sv\r\nChloé,fr\r\n',
      'src/guests.ts': `/** One line of the guest list. */
export interface Guest {
  readonly name: string
  readonly language: string
}

/** Reads a guest list; the first line names the columns. */
export function parseGuests(csv: string): readonly Guest[] {
  const lines = csv.split(/\\r?\\n/).filter(line => line !== '')
  return lines.slice(1).map(line => {
    const [name = '', language = 'en'] = line.split(',')
    return { name, language }
  })
}
`,
    },
  },
  {
    message: 'Greet in more languages',
    author: 'Chloe Example',
    date: '2024-03-06T08:45:00+00:00',
    files: {
      'src/languages.ts': `/** The word for hello, by language. */
export const hello: Readonly<Record<string, string>> = {
  en: 'Hello',
  fr: 'Bonjour',
  sv: 'Hej',
}
`,
      'src/greet-all.ts': `import type { Guest } from './guests.ts'
import { hello } from './languages.ts'

/** One greeting for each guest, in the guest's own language. */
export function greetAll(guests: readonly Guest[]): readonly string[] {
  return guests.map(({ name, language }) => \`\${hello[language] ?? hello.en}, \${name}\`)
}
`,
      'test/guests.test.ts': `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { greetAll } from '../src/greet-all.ts'
import { parseGuests } from '../src/guests.ts'

test('guests are greeted in their own language', () => {
  const guests = parseGuests(readFileSync('data/guests.csv', 'utf8'))
  assert.deepEqual(greetAll(guests), ['Hello, Ada', 'Hej, Björn', 'Bonjour, Chloé'])
})
`,
    },
  },
  {
    message: 'Add a script for the party',
    author: 'Ben Example',
    date: '2024-03-07T17:20:00+00:00',
    files: {
      'scripts/party.sh': `#!/bin/sh
# Greets everybody on the guest list, one by one.
set -eu
cd "$(dirname "$0")/.."

tail -n +2 data/guests.csv | cut -d , -f 1 | while read -r name; do
  node src/main.ts "$name"
done
`,
      'notes/ideas.txt': 'Greet by time of day.\nLet guests choose a nickname.',
    },
  },
  {
    message: 'Explain how to run it',
    author: 'Ada Example',
    date: '2024-03-08T11:05:00+00:00',
    files: {
      'README.md': `# Greeter

Says hello to people, and to more than one of them if need be.

- \`npm start -- Ada\` greets Ada.
- \`scripts/party.sh\` greets everybody in \`data/guests.csv\`.
- \`npm test\` runs the tests.

It needs Node 22.18 or later, which runs TypeScript as it is.
`,
      'notes/ideas.txt': null,
      'docs/ideas.md': `# Ideas

- Greet by time of day.
- Let guests choose a nickname.
`,
    },
  },
]
