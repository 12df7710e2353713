/** Endings that an import leaves out, or says otherwise than the source is called. */
const endings = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.vue', '.svelte']
const written = /\.(?:js|jsx|mjs|cjs)$/

/** Finds the files of a repository that imports mean. */
export class ImportResolver {
  readonly #files: ReadonlySet<string>
  /** The only file whose path ends so, by its last two names, and by its last one. */
  readonly #byEnd = new Map<string, string | undefined>()

  constructor(files: readonly string[]) {
    this.#files = new Set(files)
    for (const file of files) {
      const names = file.split('/')
      for (const end of [names.slice(-1).join('/'), names.slice(-2).join('/')]) {
        this.#byEnd.set(
          end,
          this.#byEnd.has(end) && this.#byEnd.get(end) !== file ? undefined : file,
        )
      }
    }
  }

  /** The file that one file means by a specifier; undefined for packages and what cannot be told. */
  resolve(from: string, specifier: string): string | undefined {
    const directory = from.split('/').slice(0, -1)
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#script(joined(directory, specifier))
    if (/\.(?:h|hh|hpp|hxx|inc|c|cc|cpp)$/.test(specifier)) {
      return this.#existing([joined(directory, specifier), specifier]) ?? this.#ending(specifier)
    }
    return /^[.\w]+$/.test(specifier) ? this.#module(directory, specifier) : undefined
  }

  #script(path: string): string | undefined {
    const bare = path.replace(written, '')
    const guesses = endings.flatMap(ending => [`${bare}${ending}`, `${path}${ending}`])
    const inside = endings.map(ending => `${path}/index${ending}`)
    return this.#existing([path, ...guesses, ...inside])
  }

  /** A module of Python: dots at the beginning lead up. */
  #module(directory: readonly string[], specifier: string): string | undefined {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
    const path = specifier.slice(dots).replaceAll('.', '/')
    const base = dots === 0 ? '' : directory.slice(0, directory.length - dots + 1).join('/')
    const full = base === '' ? path : `${base}/${path}`
    return this.#existing([`${full}.py`, `${full}/__init__.py`]) ?? this.#ending(`${path}.py`)
  }

  #existing(paths: readonly string[]): string | undefined {
    return paths.find(path => this.#files.has(path))
  }

  #ending(path: string): string | undefined {
    return this.#byEnd.get(path.split('/').slice(-2).join('/'))
  }
}

function joined(directory: readonly string[], specifier: string): string {
  const names = [...directory]
  for (const name of specifier.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '.' && name !== '') names.push(name)
  }
  return names.join('/')
}
