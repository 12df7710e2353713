import { spawnSync } from 'node:child_process'

/** What a path holds: text, bytes, or something other than a plain file. */
export type Entry =
  | string
  | Uint8Array
  | { readonly executable: string }
  | { readonly link: string }
  | { readonly submodule: string }

/** Paths with one character for each byte. */
export type Files = Readonly<Record<string, Entry>>

export type ObjectFormat = 'sha1' | 'sha256'

/** Commits the trees one after another in a bare repository, whatever a worktree could hold. */
export function buildHistory(
  repository: string,
  trees: readonly Files[],
  format: ObjectFormat,
): void {
  const git = (args: readonly string[], input: string | Uint8Array = ''): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: repository, input })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.toString().trim()
  }
  git(['init', '--quiet', '--bare', `--object-format=${format}`, '-b', 'main'])
  let parent: readonly string[] = []
  for (const [index, files] of trees.entries()) {
    git(['read-tree', '--empty'])
    const lines = Object.entries(files).map(([path, entry]) => {
      const [mode, content] = modeAndContent(entry)
      const oid =
        mode === '160000' ? String(content) : git(['hash-object', '-w', '--stdin'], content)
      return `${mode} ${oid}\t${path}\0`
    })
    git(['update-index', '-z', '--index-info'], Buffer.from(lines.join(''), 'latin1'))
    const commit = git(['commit-tree', git(['write-tree']), ...parent, '-m', `tree ${index}`])
    parent = ['-p', commit]
  }
  git(['update-ref', 'refs/heads/main', parent[1] ?? ''])
}

function modeAndContent(entry: Entry): readonly [mode: string, content: string | Uint8Array] {
  if (typeof entry === 'string' || entry instanceof Uint8Array) return ['100644', entry]
  if ('executable' in entry) return ['100755', entry.executable]
  return 'link' in entry ? ['120000', entry.link] : ['160000', entry.submodule]
}
