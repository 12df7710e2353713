/** Bounds of what is read for an answer: symbols and their index, watching, reads, searches and maps. A part of `fixedLimits`. */
export const readingLimits = {
  /** UTF-16 code units of a text that is read for its symbols, and of its lines on the average. */
  parsedChars: 1024 * 1024,
  parsedLineChars: 500,
  /** Milliseconds of work that one file may cost the parsers, and their start. */
  parseMs: 3_000,
  parserStartMs: 10_000,
  /** Texts that go to the parsers at once. */
  parsedBatch: 64,
  /** Texts, and UTF-16 code units of them, that may wait for the parsers. */
  waitingSources: 10_000,
  waitingChars: 64 * 1024 * 1024,
  /** Mebibytes of JavaScript memory that the parsers' thread may hold. */
  parserMegabytes: 512,
  /** Of these, those for what is young: a tree dies with its file, and what need not be copied meanwhile costs nothing. */
  parserYoungMegabytes: 96,
  /** Bytes of outlines that the process keeps of one repository. */
  outlineBytes: 32 * 1024 * 1024,
  /** Characters of packed outlines that are also kept unpacked, which takes some five times as much. */
  unpackedOutlineChars: 2 * 1024 * 1024,
  /** Bytes of outlines that are kept on the disk for one repository, and of one; how many of them can be found. */
  storedOutlineBytes: 64 * 1024 * 1024,
  storedOutlineEachBytes: 4 * 1024 * 1024,
  storedOutlines: 200_000,
  /** Milliseconds for which the outlines of another version of the readers are kept unused. */
  storedOutlineMs: 7 * 24 * 3_600_000,
  /** Files of a worktree, and bytes of them, that are read in the background, and of one step of that. */
  indexedFiles: 50_000,
  indexedBytes: 512 * 1024 * 1024,
  indexedStepBytes: 256 * 1024,
  /** Milliseconds from the opening of a worktree, or from a change in it, until its files are read. */
  indexDelayMs: 1_000,
  /** Directories of a worktree up to which chokidar watches them, and after which nobody does. */
  chokidarDirectories: 200,
  watchedDirectories: 50_000,
  /** Changed paths that are remembered until they are told, and those of them that are compared with head. */
  seenPaths: 10_000,
  driftPaths: 100,
  /** Changed paths after which the worktree is read anew in the background. */
  unreadPaths: 32,
  /** Milliseconds without a change after which changes are told, and after which they are in any case. */
  settleMs: 200,
  settleMostMs: 2_000,
  /** Bytes of paths in one list of files, where nobody says how many. */
  filesBytes: 48 * 1024,
  /** Files of one read, and parts of them. */
  readPaths: 50,
  readParts: 200,
  /** Lines up to which a file is read whole unasked, and lines of a longer one that are shown with its outline. */
  readWholeLines: 120,
  readWindowLines: 60,
  /** Lines of the longest declaration that is shown around a line, and lines on each side where there is none. */
  aroundDeclarationLines: 100,
  aroundLines: 20,
  /** Around a line of a declaration of fewer lines than this, lines beside it are shown too. */
  aroundShortLines: 5,
  /** Lines from which a declaration that nobody asked for is folded, and lines of a gap that is shown rather than named. */
  foldedLines: 5,
  joinedLines: 2,
  /** Symbols in the outline of a file that is not read whole. */
  hintSymbols: 80,
  /** UTF-16 code units of text above which long lines mean that nobody wrote it by hand. */
  minifiedChars: 8 * 1024,
  /** Paths named where there is no file at the one that was asked for. */
  nearestPaths: 5,
  /** Bytes of patch in a receipt whose detail nobody chose, and of fresh anchors in one. */
  receiptPatchBytes: 8 * 1024,
  freshAnchorBytes: 4 * 1024,
  /** Symbols named in one answer. */
  listedSymbols: 500,
  /** Files read, and milliseconds spent, to look a name up among the symbols of a worktree. */
  symbolFiles: 400,
  symbolSearchMs: 5_000,
  /** UTF-16 code units of a pattern to search for; milliseconds that an engine may take, and one that may go back in what it reads. */
  patternChars: 1_000,
  searchMs: 15_000,
  backtrackMs: 5_000,
  /** Lines that one search answers, and bytes of their text: unless asked otherwise, and at most. */
  searchHits: 20,
  maxSearchHits: 1_000,
  searchBytes: 6_144,
  maxSearchBytes: 49_152,
  /** Lines around a hit that a search may show. */
  searchContext: 10,
  /** UTF-16 code units of a line that a search shows; longer ones are cut around the hit. */
  searchLineChars: 240,
  /** Files that one search reads. */
  searchedFiles: 2_000,
  /** Files of another encoding than their blobs that one search looks into. */
  recodedFiles: 64,
  /** Bytes of a list of attributes that a search looks at. */
  attributeBytes: 1024 * 1024,
  /** Bytes of a file that a search by pattern reads. */
  searchedFileBytes: 16 * 1024 * 1024,
  /** Milliseconds that a search waits for the symbols around its hits. */
  searchSymbolsMs: 1_000,
  /** Bytes of the places of hits that one search by pattern takes in; of more it learns only how many there are. */
  searchPlaceBytes: 4 * 1024 * 1024,
  /** Bytes of directory names that one start of ripgrep is given. */
  searchArgumentBytes: 512 * 1024,
  /** Searches of a worktree whose answers are kept. */
  keptSearches: 30,
  /** Files of a worktree whose names are kept for the next search. */
  keptListFiles: 20_000,
  /** Bytes of the names that a worktree tracks, up to which they are kept for the next listing. */
  keptNameBytes: 8 * 1024 * 1024,
  /** Files of a search whose answer is kept. */
  keptSearchFiles: 20_000,
  /** Bytes of a map: unless asked otherwise, and at most. */
  mapBytes: 12_288,
  maxMapBytes: 30_720,
  /** Names that a map tells of the files it puts first. */
  mapSymbols: 8,
  /** Commits whose changes say what is worked on, and how many it takes for one to count half. */
  churnCommits: 2_000,
  churnHalfLife: 300,
  /** Bytes of the import lines of a worktree that are read to see what is central. */
  importBytes: 32 * 1024 * 1024,
} as const
