/** What the program answers to the shell. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const
