import type { LinePattern } from '../language.js'

const modifiers = '(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?'
const access =
  '(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set)\\s+)*'

/** What a line of script declares, for texts that no parser reads. */
export const scriptPatterns: readonly LinePattern[] = [
  {
    kind: 'function',
    pattern: new RegExp(`^\\s*${modifiers}(?:async\\s+)?function\\s*\\*?\\s*(?<name>[\\w$]+)`),
  },
  {
    kind: 'class',
    pattern: new RegExp(`^\\s*${modifiers}(?:abstract\\s+)?class\\s+(?<name>[\\w$]+)`),
  },
  { kind: 'interface', pattern: new RegExp(`^\\s*${modifiers}interface\\s+(?<name>[\\w$]+)`) },
  { kind: 'type', pattern: new RegExp(`^\\s*${modifiers}type\\s+(?<name>[\\w$]+)\\s*(?:<.*)?=`) },
  { kind: 'enum', pattern: new RegExp(`^\\s*${modifiers}(?:const\\s+)?enum\\s+(?<name>[\\w$]+)`) },
  {
    kind: 'namespace',
    pattern: new RegExp(`^\\s*${modifiers}(?:namespace|module)\\s+(?<name>[\\w$.]+)\\s*\\{`),
  },
  {
    kind: 'arrow',
    pattern:
      /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)(?:\s*:[^=]*)?\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>|<)/,
  },
  { kind: 'const', pattern: /^(?:export\s+)?(?:declare\s+)?const\s+(?<name>[\w$]+)/ },
  { kind: 'var', pattern: /^(?:export\s+)?(?:declare\s+)?(?:let|var)\s+(?<name>[\w$]+)/ },
  {
    kind: 'test',
    pattern: /^\s*(?:describe|it|test|bench)(?:\.\w+)*\(\s*(['"`])(?<name>(?:(?!\1).)+)\1/,
  },
  {
    kind: 'method',
    pattern: new RegExp(
      `^\\s+${access}(?:\\*\\s*)?(?!(?:if|for|while|switch|catch|function|return|constructor\\s*\\(\\s*\\)\\s*;)\\b)(?<name>#?[\\w$]+)\\s*(?:<[^>]*>)?\\([^;]*\\)\\s*(?::[^{]*)?\\{\\s*$`,
    ),
  },
  {
    kind: 'arrow',
    pattern: /^\s+(?<name>[\w$]+)\s*:\s*(?:async\b\s*)?(?:function\b|[\w$]+\s*=>|\(.*=>)/,
  },
  // Of an interface or a class; what else looks like it is dropped once its owner is known.
  {
    kind: 'property',
    pattern: new RegExp(`^\\s+${access}(?!default\\b|case\\b)(?<name>[\\w$]+)\\??:\\s[^=]*$`),
  },
]
