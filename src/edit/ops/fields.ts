import { z } from 'zod'

/** Fields that several ops share, worded once, for a model. */

export const pathField = z
  .string()
  .describe('Path of the file from the root of the repository, with forward slashes.')

export const expectedRevField = z
  .union([z.string().max(100), z.null()])
  .describe(
    'The rev you read the file at, as the read answered it; null or "new" for a file that must not exist. Once per file is enough.',
  )

export const findField = z
  .string()
  .describe('The text to find, exactly as the file has it, white space included.')

export const allField = z.boolean().describe('Take every place where the text stands.')

export const expectedCountField = z
  .int()
  .min(1)
  .describe('How many places there are; any other number is refused. All of them are taken.')

export const containsField = z
  .string()
  .describe('A part of one line, exactly as the file has it; the whole line is taken.')

export const linesTextField = z
  .string()
  .describe(
    'The new lines. A final newline belongs to the last of them; line endings become those of the file.',
  )

export const literalField = z
  .boolean()
  .describe(
    'The new text is meant as it stands, though it looks like a placeholder, like lines with their numbers, or like escaped breaks.',
  )

export const startLineField = z
  .int()
  .min(1)
  .describe('First line, counted from 1 in the file as you read it.')

export const endLineField = z
  .int()
  .min(1)
  .describe('Last line, included, counted in the file as you read it.')

export const expectPrefixField = z
  .string()
  .describe('How the first of these lines begins now, white space included; a guard.')

export const symbolField = z
  .string()
  .max(1_000)
  .describe(
    'A name or name path of the file as you read it, such as Class/method; [i] picks among equal names, @L12 by line.',
  )

export const withDocField = z
  .boolean()
  .describe('Take the comment that stands directly above along.')
