// Objects and refs of the hostile repository that git itself would not make: trees that lead out, bombs, lies.
import { git, writeCommit, writeObject, writeRef, writeTree } from './hostile-git.mjs'

const zeros = 64 * 1024 * 1024

/**
 * @param {string} path
 * @param {{ base: string, lied: string, programs: string }} known
 */
export function plantObjects(path, { base, lied, programs }) {
  const blob = writeObject(path, 'blob', 'x\n')
  const baseTree = git(path, 'rev-parse', `${base}^{tree}`)
  /** @type {(name: string, tree: string, message?: string) => string} */
  const branch = (name, tree, message = name) => {
    const commit = writeCommit(path, { tree, parent: base, message: `${message}\n` })
    writeRef(path, `refs/heads/${name}`, commit)
    return commit
  }

  const badNames = ['.git', '.GIT', 'GIT~1', '.g\u200cit', '..', 'a/b']
  const badTrees = badNames.map((name, index) => {
    branch(`badtree-${index}`, writeTree(path, [['100644', name, blob]]))
    return `badtree-${index}`
  })
  const treeBomb = writeBomb(path, blob)
  branch('treebomb', treeBomb)
  // It packs a thousand to one.
  const bomb = writeObject(path, 'blob', new Uint8Array(zeros))
  branch('zbomb', writeTree(path, [['100644', 'zeros', bomb]]))

  const forged = writeCommit(path, {
    tree: baseTree,
    parent: base,
    author: 'e\u001b[2Jvil',
    message:
      'ok\n\nEditlatch-Agent: someone-else\nSigned-off-by: boss <boss@example.invalid>\n\u001b]0;pwn\u0007\n',
  })
  writeRef(path, 'refs/heads/forged', forged)
  const signed = writeCommit(path, {
    tree: baseTree,
    parent: base,
    message: 'signed\n',
    headers: 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n',
  })
  writeRef(path, 'refs/heads/signed', signed)

  // Names that stand for two things, and one that looks like an option.
  writeRef(path, 'refs/heads/HEAD', base)
  writeRef(path, 'refs/tags/main', base)
  writeRef(path, 'refs/heads/--output=pwned', base)
  // History that lies.
  writeRef(path, `refs/replace/${lied}`, forged)
  branch('submod', writeSubmodule(path, base, programs))
  return { badTrees, treeBomb, signed }
}

/**
 * Ten levels of ten entries: 10^10 paths from eleven objects.
 * @param {string} path
 * @param {string} blob
 */
function writeBomb(path, blob) {
  let oid = blob
  for (let level = 0; level < 10; level += 1) {
    const mode = level === 0 ? '100644' : '40000'
    const below = oid
    /** @type {(number: number) => readonly [string, string, string]} */
    const entry = number => [mode, `d${number}`, below]
    oid = writeTree(
      path,
      Array.from({ length: 10 }, (_, number) => entry(number)),
    )
  }
  return oid
}

/**
 * @param {string} path
 * @param {string} base
 * @param {string} programs
 */
function writeSubmodule(path, base, programs) {
  const modules = [
    '[submodule "x"]',
    '\tpath = "sub\\r"',
    `\turl = ext::${programs}/ext-transport`,
    `\tupdate = !${programs}/submodule-update`,
    '[submodule "../../hooks"]',
    '\tpath = -u',
    `\turl = --upload-pack=${programs}/uploadpack`,
    '',
  ].join('\n')
  return writeTree(path, [
    ['100644', '.gitmodules', writeObject(path, 'blob', modules)],
    ['160000', 'sub', base],
  ])
}
