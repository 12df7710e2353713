import type { EditInput } from '#src/edit/ops/parse-edit.js'

/** Everything that any op can do to a path; a new op needs a line here. */
export const attempts: Readonly<Record<string, (path: string, rev: string) => EditInput>> = {
  replace_text: (path, expected_rev) => ({
    op: 'replace_text',
    path,
    expected_rev,
    find: 'x',
    replace: 'y',
  }),
  delete_text: (path, expected_rev) => ({ op: 'delete_text', path, expected_rev, find: 'x' }),
  insert_lines: (path, expected_rev) => ({
    op: 'insert_lines',
    path,
    expected_rev,
    line: 1,
    text: 'y',
  }),
  replace_lines: (path, expected_rev) => ({
    op: 'replace_lines',
    path,
    expected_rev,
    start_line: 1,
    end_line: 1,
    text: 'y',
  }),
  delete_lines: (path, expected_rev) => ({
    op: 'delete_lines',
    path,
    expected_rev,
    start_line: 1,
    end_line: 1,
  }),
  append_lines: (path, expected_rev) => ({ op: 'append_lines', path, expected_rev, text: 'y' }),
  replace_lines_containing: (path, expected_rev) => ({
    op: 'replace_lines_containing',
    path,
    expected_rev,
    contains: 'x',
    text: 'y',
  }),
  delete_lines_containing: (path, expected_rev) => ({
    op: 'delete_lines_containing',
    path,
    expected_rev,
    contains: 'x',
  }),
  write_file: (path, expected_rev) => ({ op: 'write_file', path, expected_rev, text: 'y' }),
  delete_file: (path, expected_rev) => ({ op: 'delete_file', path, expected_rev }),
  move_file: (path, expected_rev) => ({ op: 'move_file', path, expected_rev, to: 'away.txt' }),
  set_mode: (path, expected_rev) => ({ op: 'set_mode', path, expected_rev, executable: true }),
}
