import { type Oid, parseOid } from '../../core/oid.js'

/** A person or agent as git writes them, with the second of the act. */
export interface Signature {
  readonly name: string
  readonly email: string
  readonly seconds: number
}

export interface CommitFields {
  readonly tree: Oid
  readonly parents: readonly Oid[]
  readonly author: Signature
  readonly committer: Signature
  /** Ends in a newline. */
  readonly message: string
}

/** The bytes of a commit, in UTF-8. */
export function serialiseCommit(commit: CommitFields): Buffer {
  return Buffer.from(
    [
      `tree ${commit.tree}`,
      ...commit.parents.map(parent => `parent ${parent}`),
      `author ${signatureLine(commit.author)}`,
      `committer ${signatureLine(commit.committer)}`,
      '',
      commit.message,
    ].join('\n'),
    'utf8',
  )
}

/** The bytes of a tag that says something of a blob. */
export function serialiseTag(tag: {
  readonly object: Oid
  readonly tagger: Signature
  /** Ends in a newline. */
  readonly message: string
}): Buffer {
  const { object, tagger, message } = tag
  const headers = ['type blob', 'tag draft', `tagger ${signatureLine(tagger)}`]
  return Buffer.from([`object ${object}`, ...headers, '', message].join('\n'), 'utf8')
}

/** Reads the fields that we look at; other headers (signatures, encodings) are passed over. */
export function parseCommit(body: Buffer): CommitFields {
  const text = body.toString('utf8')
  const end = text.indexOf('\n\n')
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n')
  const values = (key: string): string[] =>
    lines.filter(line => line.startsWith(`${key} `)).map(line => line.slice(key.length + 1))
  return {
    tree: parseOid(values('tree')[0] ?? ''),
    parents: values('parent').map(parseOid),
    author: parseSignature(values('author')[0] ?? ''),
    committer: parseSignature(values('committer')[0] ?? ''),
    message: end < 0 ? '' : text.slice(end + 2),
  }
}

function signatureLine({ name, email, seconds }: Signature): string {
  return `${withoutMarks(name) || 'unknown'} <${withoutMarks(email)}> ${seconds} +0000`
}

/** A newline, NUL or angle bracket in a name would write another header. */
function withoutMarks(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
  return text.replace(/[\u0000-\u001f\u007f<>]/g, '').trim()
}

function parseSignature(text: string): Signature {
  const match = /^(.*?) ?<([^>]*)> (-?\d+)/.exec(text)
  return { name: match?.[1] ?? '', email: match?.[2] ?? '', seconds: Number(match?.[3] ?? 0) }
}
