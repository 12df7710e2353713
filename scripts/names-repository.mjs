// Tells whether a command line of `editlatch serve` or `mcp` names a repository. It works without node_modules.

/** The flags that stand alone; after any other flag comes its value, which is no repository. */
export const switches = ['--fold-unicode', '--help', '--json', '--trust-config', '--version']

/**
 * @param {readonly string[]} args those after the name of the subcommand
 */
export function namesRepository(args) {
  return args.some(
    (argument, index) => !argument.startsWith('-') && !takesValue(args[index - 1] ?? ''),
  )
}

/** @param {string} flag */
function takesValue(flag) {
  const isSwitch = switches.includes(flag) || flag.startsWith('--no-') || flag.includes('=')
  return flag.startsWith('--') && flag !== '--' && !isSwitch
}
