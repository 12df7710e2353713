/** Rows with their columns one under the other. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<readonly number[]>(
    (wide, row) => row.map((cell, at) => Math.max(cell.length, wide[at] ?? 0)),
    [],
  )
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
