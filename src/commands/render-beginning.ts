import type { IncludedAnswer, SetupAnswer } from '../gateway/telling/answers.js'

/** What a new worktree was given of ignored files, as lines. */
export function renderIncluded({
  files,
  links,
  bytes,
  ...told
}: IncludedAnswer): readonly string[] {
  const { left_out = [], left_out_total = 0 } = told
  const more = left_out_total - left_out.length
  return [
    `included ${files} files, ${links} links, ${bytes} bytes`,
    ...left_out.map(({ path, why }) => `left out ${path} (${why})`),
    ...(more > 0 ? [`left out ${more} more`] : []),
  ]
}

/** How far the operator's command is, as lines. */
export function renderSetup(setup: SetupAnswer): readonly string[] {
  const { state, command, reason, exit_code, output } = setup
  const why = reason ?? (exit_code === undefined ? undefined : `exit code ${exit_code}`)
  return [
    `setup    ${state}${state === 'failed' && why !== undefined ? `, ${why}` : ''}: ${command.join(' ')}`,
    ...(output === undefined
      ? []
      : output
          .trimEnd()
          .split('\n')
          .map(line => `  ${line}`)),
  ]
}
