import { visibleText } from './visible-text.js'

/** Parts on lines of their own, empty ones left out, made safe to print. */
export function joinLines(parts: readonly string[]): string {
  const lines = parts.filter(part => part !== '').map(part => part.replace(/\n$/, ''))
  return `${visibleText(lines.join('\n'))}\n`
}
