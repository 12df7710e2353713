/**
 * What the peers did with what users reported: 102 inputs, each peer run once. The 67 of `failures.jsonl` are some of
 * them. A harmless no-op where a refusal was expected counts as passed. Source: `facts/edit-formats.md`, section 6, the
 * note on edit formats that lies beside the corpora.
 */
export const peersOnFailures = [
  { dialect: 'search_replace', peer: 'Cline editor', cases: 54, pass: 49, refused: 3, DAMAGE: 2 },
  { dialect: 'search_replace', peer: 'Copilot', cases: 49, pass: 47, refused: 0, DAMAGE: 2 },
  { dialect: 'search_replace', peer: 'opencode', cases: 57, pass: 47, refused: 0, DAMAGE: 10 },
  { dialect: 'search_replace', peer: 'gemini-cli', cases: 57, pass: 48, refused: 0, DAMAGE: 9 },
  { dialect: 'search_replace', peer: 'PraisonAI', cases: 57, pass: 46, refused: 0, DAMAGE: 11 },
  { dialect: 'search_replace', peer: 'Continue', cases: 53, pass: 40, refused: 0, DAMAGE: 13 },
  { dialect: 'search_replace', peer: 'aider', cases: 54, pass: 34, refused: 9, DAMAGE: 11 },
  {
    dialect: 'search_replace',
    peer: 'mcp filesystem',
    cases: 54,
    pass: 37,
    refused: 0,
    DAMAGE: 17,
  },
  { dialect: 'apply_patch', peer: 'Cline', cases: 18, pass: 15, refused: 0, DAMAGE: 3 },
  { dialect: 'apply_patch', peer: 'codex 0.171.0', cases: 19, pass: 13, refused: 2, DAMAGE: 4 },
  { dialect: 'apply_patch', peer: 'Copilot', cases: 16, pass: 13, refused: 0, DAMAGE: 3 },
  { dialect: 'apply_patch', peer: 'opencode', cases: 17, pass: 11, refused: 0, DAMAGE: 6 },
  { dialect: 'apply_patch', peer: 'Roo', cases: 18, pass: 10, refused: 1, DAMAGE: 7 },
  { dialect: 'hashline', peer: 'grok', cases: 9, pass: 6, refused: 1, DAMAGE: 2 },
  { dialect: 'search_replace_blocks', peer: 'Roo', cases: 7, pass: 7, refused: 0, DAMAGE: 0 },
  { dialect: 'search_replace_blocks', peer: 'aider', cases: 7, pass: 6, refused: 0, DAMAGE: 1 },
  { dialect: 'unified_diff', peer: 'git apply', cases: 4, pass: 4, refused: 0, DAMAGE: 0 },
  { dialect: 'unified_diff', peer: 'GNU patch', cases: 4, pass: 4, refused: 0, DAMAGE: 0 },
  { dialect: 'unified_diff', peer: 'jsdiff', cases: 4, pass: 4, refused: 0, DAMAGE: 0 },
]
