// The configuration and the hooks of the hostile repository.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookNames, plantProgram } from './hostile-programs.mjs'

/** Events for which git 2.54 and newer runs hooks that a configuration names. */
const configuredEvents = [
  'pre-commit',
  'post-commit',
  'prepare-commit-msg',
  'commit-msg',
  'reference-transaction',
  'post-index-change',
  'post-checkout',
  'pre-push',
]

/**
 * @param {string} path
 * @param {string} directory
 */
export function plantConfiguration(path, directory) {
  const bin = join(directory, 'bin')
  const gitDir = join(path, '.git')
  writeFileSync(join(path, 'evil.inc'), included(bin))
  writeFileSync(join(path, 'evil.attributes'), '*.md filter=evil\n')
  writeFileSync(join(path, 'evil.ignore'), '*\n')
  appendFileSync(join(gitDir, 'config'), config(path, bin, join(directory, 'outside/victim')))
  const own = `[core]\n\tfsmonitor = ${bin}/wtconfig-fsmon\n`
  writeFileSync(join(gitDir, 'worktrees/agent/config.worktree'), own)
  mkdirSync(join(gitDir, 'hooks'), { recursive: true })
  const log = join(directory, 'canary.log')
  for (const hook of hookNames) plantProgram(join(gitDir, 'hooks', hook), `hook-${hook}`, log)
}

/** @param {string} bin */
const included = bin => `[core]
	alternateRefsCommand = ${bin}/alternaterefs
[filter "included"]
	clean = ${bin}/included-fsmon
`

/**
 * @param {string} path
 * @param {string} bin
 * @param {string} victim
 */
const config = (path, bin, victim) => `[core]
	fsmonitor = ${bin}/fsmonitor
	pager = ${bin}/pager
	editor = ${bin}/editor
	sshCommand = ${bin}/sshcommand
	gitProxy = ${bin}/gitproxy
	askPass = ${bin}/askpass
	attributesFile = ${path}/evil.attributes
	excludesFile = ${path}/evil.ignore
	quotePath = false
	abbrev = 5
	commentChar = %
	trustctime = false
	checkStat = minimal
	repositoryFormatVersion = 1
[sequence]
	editor = ${bin}/sequence-editor
[pager]
	log = ${bin}/pager-cmd
	diff = ${bin}/pager-cmd
[credential]
	helper = !${bin}/credhelper
[diff]
	external = ${bin}/diff-external
	noprefix = true
	mnemonicPrefix = true
	renames = copies
	algorithm = patience
	ignoreSubmodules = all
[diff "evil"]
	textconv = ${bin}/textconv
	cachetextconv = false
[diff "evil2"]
	command = ${bin}/diff-command
[filter "evil"]
	clean = ${bin}/filter-clean %f
	smudge = ${bin}/filter-smudge %f
[merge "evil"]
	driver = ${bin}/merge-driver %O %A %B
[gpg]
	program = ${bin}/gpg
[gpg "ssh"]
	program = ${bin}/gpg-ssh
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[log]
	showSignature = true
	follow = false
[trailer "gw"]
	key = Editlatch-Batch
	command = ${bin}/trailer-command
[trailer "gw2"]
	key = X-Hook
	cmd = ${bin}/trailer-cmd
[alias]
	st = !${bin}/alias
	co = !${bin}/alias
[include]
	path = ../evil.inc
[remote "origin"]
	url = ext::${bin}/ext-transport
	uploadpack = ${bin}/uploadpack
	receivepack = ${bin}/receivepack
	fetch = +refs/heads/*:refs/remotes/origin/*
	promisor = true
	partialclonefilter = blob:none
[remote "ssh"]
	url = ssh://host.invalid/x
[remote "gitp"]
	url = git://host.invalid/x
[remote "local"]
	url = ${victim}
	uploadpack = ${bin}/uploadpack
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[gc]
	recentObjectsHook = ${bin}/gc-hook
[uploadpack]
	packObjectsHook = ${bin}/gc-hook
[submodule "x"]
	update = !${bin}/submodule-update
[difftool "evil"]
	cmd = ${bin}/difftool
[mergetool "evil"]
	cmd = ${bin}/mergetool
[color]
	ui = always
[column]
	ui = always
[status]
	short = true
	showUntrackedFiles = no
[format]
	pretty = format:%h
[extensions]
	worktreeConfig = true
	partialClone = origin
${configuredEvents.map(event => `[hook "cfg-${event}"]\n\tcommand = ${bin}/config-hook\n\tevent = ${event}\n`).join('')}`
