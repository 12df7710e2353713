/**
 * Text that is safe to print: line breaks and tabs stay, every other control character (escape
 * sequences, carriage returns) and every mark that reorders text is spelled out as `\x1b` or `\u202e`.
 */
export function visibleText(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    spellOut,
  )
}

function spellOut(char: string): string {
  const code = char.charCodeAt(0)
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}
