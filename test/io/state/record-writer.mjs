// Puts records of its own into a file that others write to at the same time.
import { RecordFile } from '../../../dist/io/state/record-file.js'

const [path = '', name, count] = process.argv.slice(2)
const bounds = { fileBytes: 2 ** 24, recordBytes: 2 ** 20, records: 10_000 }
const file = new RecordFile(() => Promise.resolve(path), bounds)
for (let number = 0; number < Number(count); number += 1) {
  file.put(`${name} ${number}`, JSON.stringify(`${name}${number}`.repeat(1 + (number % 300))))
  if (number % 7 === 0) await file.flush()
}
await file.flush()
