import { readingLimits } from './reading-limits.js'

/** Every bound of the product. Passing one is a Refusal; the operator may change those of `Limits`. */
export interface Limits {
  /** Ops in one batch. */
  readonly batchOps: number
  /** UTF-16 code units of a text to find. */
  readonly findChars: number
  /** UTF-16 code units of a replacing text. */
  readonly replaceChars: number
  /** Bytes of a whole new file or of appended text. */
  readonly writeBytes: number
  /** Bytes of a file that may be read or edited. */
  readonly fileBytes: number
  /** UTF-16 code units of text that the ops of one batch may look through, each file once an op that searches it. */
  readonly searchedChars: number
  /** Bytes of a request body. */
  readonly bodyBytes: number
  /** Bytes of text in one read answer. */
  readonly readBytes: number
  /** Bytes of patch in one receipt or diff answer. */
  readonly patchBytes: number
  /** Files named in one answer. */
  readonly listedFiles: number
  /** Lines compared by the in-process diff of text that is not stored yet. */
  readonly diffLines: number
  /** Loose objects of a repository after which they are packed in the background. */
  readonly looseObjects: number
  /** Milliseconds that the operator's command in a new worktree may take. */
  readonly setupMs: number
  /** Requests a second that one token may send over HTTP, twice that in a burst. */
  readonly requestsPerSecond: number
  /** Requests of one token that are answered at the same time. */
  readonly concurrentRequests: number
}

export const defaultLimits: Limits = {
  batchOps: 200,
  findChars: 4_096,
  replaceChars: 65_536,
  writeBytes: 4 * 1024 * 1024,
  fileBytes: 16 * 1024 * 1024,
  searchedChars: 256 * 1024 * 1024,
  bodyBytes: 8 * 1024 * 1024,
  readBytes: 256 * 1024,
  patchBytes: 64 * 1024,
  listedFiles: 10_000,
  diffLines: 2_000,
  looseObjects: 5_000,
  setupMs: 900_000,
  requestsPerSecond: 1_000,
  concurrentRequests: 32,
}

/** Bounds that no operator needs to change: the ways we wait for git and for clients. */
export const fixedLimits = {
  /** UTF-16 code units of text that a batch looks through before others may have a turn: some 20 ms. */
  turnChars: 2 * 1024 * 1024,
  /** Steps that one glob may take over a whole list of files: about a second. */
  globSteps: 50_000_000,
  /** Milliseconds a one-shot git command may take. */
  gitMs: 30_000,
  /** Milliseconds `git worktree add` and a checkout may take. */
  checkoutMs: 300_000,
  /** Milliseconds a long-lived child may take for one answer. */
  answerMs: 10_000,
  /** Bytes a git command may print. */
  gitOutputBytes: 64 * 1024 * 1024,
  /** Bytes of output that are told before a git command has ended. */
  previewBytes: 8 * 1024,
  /** Bytes of an index file that is read in process; git works on larger ones. */
  indexBytes: 256 * 1024 * 1024,
  /** Bytes of indexes that the process keeps in memory, and the milliseconds for which it does so unasked. */
  indexMemoryBytes: 32 * 1024 * 1024,
  indexMemoryMs: 60_000,
  /** Milliseconds to wait for somebody else's index.lock. */
  lockWaitMs: 5_000,
  /** Milliseconds that one packing may take. */
  repackMs: 600_000,
  /** Milliseconds from a packing that failed to the next try. */
  repackRetryMs: 3_600_000,
  /** Bytes of memory for the deltas of a packing. */
  repackWindowBytes: 64 * 1024 * 1024,
  /** Bytes that a packing leaves free on the disk, besides twice what it packs. */
  repackSpareBytes: 64 * 1024 * 1024,
  /** Bytes of new objects that a batch writes down for a recovery. */
  intentObjectBytes: 32 * 1024 * 1024,
  /** Bytes of a file that a recovery may read or write. */
  recoveredFileBytes: 64 * 1024 * 1024,
  /** Steps that one search for text may take beyond those that grow with the file: some 50 ms. */
  similaritySteps: 4_000_000,
  /** Characters of a file that a refusal shows where its dialect asks for that. */
  snapshotChars: 6_000,
  /** Edits of one call of dialect patches, and characters of the texts of each. */
  callPatches: 8,
  patchSearchChars: 4_096,
  patchReplaceChars: 8_192,
  /** Places in one file that one op may change. */
  matches: 10_000,
  /** Hunks that one patch may have for one file. */
  hunks: 2_000,
  /** Failures of one batch that a refusal lists. */
  toldFailures: 20,
  /** Lines that may be looked at to place the hunks of one file: well under a second. */
  soughtLines: 100_000_000,
  /** Times a batch is resolved again because the branch or a touched file moved. */
  rebuilds: 3,
  /** Milliseconds after which `update-ref` is started anew, because its reflog time stands still. */
  refWriterAgeMs: 60_000,
  /** Trailing commits whose idempotency keys are looked at when a worktree is opened. */
  keyCommits: 20_000,
  /** Commits that one `verify` reads again. */
  verifiedCommits: 1_000,
  /** Milliseconds that one `verify` may take. */
  verifyMs: 20_000,
  /** Bytes of an object that `verify` reads. */
  verifiedObjectBytes: 16 * 1024 * 1024,
  /** Bytes of packs, and of their indexes, that the second implementation may read whole. */
  verifiedPackBytes: 32 * 1024 * 1024,
  verifiedPackIndexBytes: 2 * 1024 * 1024,
  /** Problems that one `verify` tells. */
  verifyProblems: 200,
  ...readingLimits,
  /** Milliseconds that a batch waits for its syntax check; as many as it may wait where it must be valid. */
  syntaxMs: 150,
  requiredSyntaxMs: 20_000,
  /** Files, and bytes before and after, of a batch whose syntax is checked. */
  syntaxFiles: 50,
  syntaxBytes: 4 * 1024 * 1024,
  /** Characters of what a tool answers and of what it refuses: beyond, clients cut it or put it into a file. */
  resultChars: 48_000,
  errorChars: 9_500,
  /** Bytes of one read, and of the patches of one answer, where answers go into a model's context. */
  contextReadBytes: 40_000,
  contextPatchBytes: 24_000,
  /** Milliseconds between two signs of progress to a client that waits for a tool. */
  progressMs: 1_000,
  /** Files and links, and bytes of them, that a new worktree gets of what git ignores; directories in each other; how long that may take. */
  includedFiles: 20_000,
  includedBytes: 512 * 1024 * 1024,
  includedDepth: 64,
  includeMs: 20_000,
  /** Names that are looked at for an include that reaches into an ignored directory. */
  includeLooks: 20_000,
  /** Bytes that the operator's command in a new worktree may print, and characters of their end that are told. */
  setupOutputBytes: 16 * 1024 * 1024,
  setupOutputChars: 2_000,
  /** Paths, and what was left out, that the answer to an include names. */
  includedPaths: 50,
  /** Drafts of one worktree, and milliseconds after which one that nobody has written to is let go. */
  drafts: 16,
  draftMs: 7 * 24 * 3_600_000,
  /** Milliseconds from the start of a client's server until it finishes what others left half done. */
  leftWorkDelayMs: 1_000,
  /** Bytes of a file of settings. */
  settingsBytes: 64 * 1024,
  /** Bytes of a configuration file of another program. */
  clientFileBytes: 16 * 1024 * 1024,
  /** Levels of nesting in a JSON body. */
  jsonDepth: 64,
  /** Events remembered for those who connect again. */
  keptEvents: 1_000,
  /** Events that may wait for one slow reader before its stream is ended. */
  waitingEvents: 2_000,
  /** Milliseconds between two signs of life on an event stream. */
  heartbeatMs: 15_000,
  /** Milliseconds a client may take to send its headers. */
  headersMs: 5_000,
  /** Milliseconds a client may take to send a whole request. */
  requestMs: 30_000,
  /** Milliseconds a connection may stay idle. */
  keepAliveMs: 5_000,
  /** Milliseconds between two looks for connections that are too slow. */
  connectionCheckMs: 1_000,
  /** Bytes of request line and headers together. */
  headerBytes: 16_384,
  /** Connections open at the same time. */
  connections: 256,
  /** Times that the typed client sends a request that may be sent again. */
  clientTries: 4,
  /** Milliseconds that it waits before the second time, twice as long before each that follows, and at most. */
  clientBackoffMs: 200,
  clientWaitMs: 10_000,
  /** UTF-16 code units that it reads of one event. */
  clientEventChars: 4 * 1024 * 1024,
  /** Milliseconds that requests in flight are waited for when the server stops. */
  shutdownMs: 10_000,
} as const
