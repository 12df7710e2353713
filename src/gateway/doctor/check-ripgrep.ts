import type { DoctorCheck } from '../telling/answers.js'
import { type Finding, report } from './findings.js'

/** Whether the optional package is there, and what happens without it. */
export function checkRipgrep(program: string | undefined): readonly DoctorCheck[] {
  const finding: Finding = {
    status: 'warning',
    detail:
      'not installed: searches by pattern take git grep -P, which is slower, gives up on some patterns (PATTERN_TIMEOUT) and does not look into UTF-16; patterns of symbol names are refused',
    what_to_do: 'npm install --include=optional @vscode/ripgrep, beside the gateway.',
  }
  return report('ripgrep', program === undefined ? [finding] : [], program ?? '')
}
