import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../core/errors.js'

/** True where a request carries a body, by what its headers say. */
export function hasBody(incoming: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers
  return encoding !== undefined || length !== '0'
}

/** Refuses what is not plain JSON by its content type, or packed in any way. */
export function checkJsonType(incoming: IncomingMessage): void {
  const type = incoming.headers['content-type'] ?? ''
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
  }
}

/** The content types of a body that is one text. */
export const textTypes = ['text/x-patch', 'text/x-diff', 'text/markdown', 'text/plain'] as const

/** True for a body that says it is a patch, Markdown or plain text, in UTF-8. */
export function isTextType(incoming: IncomingMessage): boolean {
  const type = incoming.headers['content-type'] ?? ''
  const [, name = ''] = /^([\w/-]+)\s*(?:;\s*charset="?utf-8"?\s*)?$/i.exec(type) ?? []
  return textTypes.some(known => known === name.toLowerCase())
}

/** Refuses a body that would have to be unpacked, since its true size cannot be known. */
export function checkNotPacked(incoming: IncomingMessage): void {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      problem: 'send the body without content-encoding',
    })
  }
}

/** The whole body, `TOO_LARGE` as soon as it is known to pass the limit, whatever its headers promised. */
export function readBody(incoming: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): void => reject(new Refusal('TOO_LARGE', { limit_bytes: limitBytes }))
    if (Number(incoming.headers['content-length'] ?? 0) > limitBytes) return tooLarge()
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes <= limitBytes) {
        chunks.push(chunk)
        return
      }
      incoming.off('data', take)
      incoming.pause()
      tooLarge()
    }
    incoming.on('data', take)
    incoming.once('end', () => resolve(Buffer.concat(chunks)))
    incoming.once('error', () => reject(new Refusal('CANCELLED')))
    incoming.once('close', () => reject(new Refusal('CANCELLED')))
  })
}
