/** What a command line has around it; main makes it from the process, tests from values. */
export interface Terminal {
  /** The arguments after the program's name. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: string
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user or the system asks the program to stop. */
  readonly stopped: AbortSignal
}

export interface Output {
  readonly isTTY?: boolean
  write(text: string | Uint8Array): unknown
}

/** Settles when the program is asked to stop. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Writes a text and a line end; a person's terminal never gets control characters from content. */
export function printLine(output: Output, text: string): void {
  const line = text.endsWith('\n') ? text : `${text}\n`
  output.write(output.isTTY === true ? printable(line) : line)
}

/** Writes bytes as they are, save to a person's terminal. */
export function printBytes(output: Output, bytes: Uint8Array): void {
  if (output.isTTY === true) printLine(output, new TextDecoder().decode(bytes))
  else output.write(bytes)
}

/**
 * The text with every character that a terminal would obey or that hides or reorders others shown
 * as its escape; the escapes are JSON's, so that JSON stays JSON.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
