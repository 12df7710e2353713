import { Refusal } from '../core/errors.js'
import { fixedLimits, type Limits } from '../core/limits.js'
import { defaultMatching } from '../core/matching.js'
import type { Oid } from '../core/oid.js'
import { stopSpawnHelper } from '../io/git/run-git.js'
import { ThreadParsers } from '../io/workers/thread-parsers.js'
import type { Checkout } from './checkout/checkout.js'
import { assertView } from './checkout/worktree-view.js'
import { examine } from './doctor/doctor.js'
import { faultAsRefusal, truerFault } from './landing/faults.js'
import { checkIncludes } from './opening/choose-ignored.js'
import { closeCheckout } from './opening/close-checkout.js'
import type { GatewayOptions, OpenWorktreeInput } from './opening/gateway-options.js'
import {
  type AgentPlace,
  agentBase,
  agentPlace,
  checkoutToClose,
  existingCheckout,
  isRegistered,
  newCheckout,
} from './opening/open-checkout.js'
import {
  type OpenedRepositories,
  openServed,
  type RefusedRepository,
} from './opening/open-served.js'
import { assertBase, startingCommit } from './opening/starting-commit.js'
import { idOf, unknownWorktree, unlessGone } from './opening/worktree-ids.js'
import { prepareWorktree, tellBeginning } from './prepare-worktree.js'
import type { ServedRepository } from './repository/served-repository.js'
import { isAgentName, parseAgentName } from './repository/worktree-refs.js'
import type {
  ClosedAnswer,
  DoctorAnswer,
  OpenedAnswer,
  RepositoryAnswer,
  WorktreeAnswer,
} from './telling/answers.js'
import { EventLog } from './telling/event-log.js'
import { silentMeter } from './telling/meter.js'
import { type Caller, callerOf, repositorySecret, type Scope, worktreeToken } from './tokens.js'
import { keepUp } from './upkeep.js'
import { Worktree } from './worktree.js'

export type { GatewayOptions, OpenWorktreeInput } from './opening/gateway-options.js'

/** Everything that is served: repositories, the worktrees of agents, and who may do what. */
export class Gateway {
  readonly limits: Limits
  readonly events = new EventLog()
  readonly #options: GatewayOptions
  readonly #served: readonly ServedRepository[]
  readonly #refused: readonly RefusedRepository[]
  readonly #parsers: ThreadParsers
  readonly #worktrees = new Map<string, Promise<Worktree>>()

  private constructor(
    options: GatewayOptions,
    { served, refused }: OpenedRepositories,
    parsers: ThreadParsers,
  ) {
    this.limits = options.limits
    this.#options = options
    this.#served = served
    this.#refused = refused
    this.#parsers = parsers
  }

  /** Opens all repositories, or refuses as `openRepository` does. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    checkIncludes(options.include ?? [])
    const parsers = new ThreadParsers()
    const opened = await openServed(options, parsers)
    for (const one of opened.served) one.considerMaintenance()
    return new Gateway(options, opened, parsers)
  }

  /** The dialects that edits may be said in; undefined for all. */
  get dialects(): GatewayOptions['dialects'] {
    return this.#served[0]?.settings.own.dialects ?? this.#options.dialects
  }

  /** Looks whether everything is as it should be; changes nothing. */
  examine(): Promise<DoctorAnswer> {
    return examine({ options: this.#options, served: this.#served, refused: this.#refused })
  }

  async repositories(): Promise<readonly RepositoryAnswer[]> {
    return Promise.all(
      this.#served.map(async served => ({
        name: served.name,
        path: served.repository.workTree ?? served.repository.commonDir,
        object_format: served.repository.objectFormat,
        head: (await served.resolveRef('HEAD')) ?? null,
      })),
    )
  }

  /** Opens an agent's worktree, a new one or the one it had. Refuses with `WORKTREE_EXISTS` for another base or view. */
  async openWorktree(input: OpenWorktreeInput): Promise<OpenedAnswer> {
    const served = this.#repository(input.repo)
    await served.renew()
    const agent = agentPlace(served, parseAgentName(input.agent), this.#options)
    const [worktree, baseDirty] = await Promise.all([
      this.#known(agent, input).then(known => known ?? this.#create(agent, input)),
      served.hasUncommittedWork(),
    ])
    if (input.model !== undefined) worktree.worksWith(input.model)
    keepUp(worktree, this.#options, this.events)
    const answer = await worktree.describe()
    if (input.base !== undefined) await assertBase(served, answer, input.base)
    if (input.view !== undefined) assertView(answer, input.view)
    const token = this.tokenFor(answer.id, 'edit')
    const told = {
      ...tellBeginning(worktree.checkout),
      ...(baseDirty && { base_dirty: true as const }),
    }
    return { ...answer, token, ...told }
  }

  /** Every worktree of every repository whose directory is there. */
  async worktrees(): Promise<readonly WorktreeAnswer[]> {
    const answers: WorktreeAnswer[] = []
    for (const served of this.#served) {
      for (const name of await served.agentNames()) {
        const agent = agentPlace(served, name, this.#options)
        const answer = await this.#known(agent).then(known => known?.describe(), unlessGone)
        if (answer !== undefined) answers.push(answer)
      }
    }
    return answers
  }

  /**
   * Finishes what processes that have ended left half done in any worktree: until then the user's own git may miss
   * objects of its branch. What cannot be finished is told by whatever asks for that worktree.
   */
  async finishLeftWork(stopped?: AbortSignal): Promise<void> {
    const { onFault } = this.#options
    for (const served of this.#served) {
      for (const name of await served.agentNames()) {
        if (stopped?.aborted === true) return
        const agent = agentPlace(served, name, this.#options)
        await this.#known(agent)
          .then(known => known?.finishLeftWork())
          .catch(error => onFault?.(error))
      }
    }
  }

  /** A worktree by id, or by agent name where only one repository is served. Refuses with `NOT_FOUND` or `WORKTREE_GONE`. */
  async worktree(id: string): Promise<Worktree> {
    const worktree = await this.#known(this.#parse(id))
    if (worktree === undefined) throw unknownWorktree(id)
    keepUp(worktree, this.#options, this.events)
    return worktree
  }

  /** Removes a worktree. Refuses with `UNLANDED` while it holds work, unless forced. */
  async closeWorktree(id: string, input: { readonly force: boolean }): Promise<ClosedAnswer> {
    const agent = this.#parse(id)
    if ((await agentBase(agent)) === undefined) throw unknownWorktree(id)
    const full = idOf(agent)
    const open = await this.#worktrees.get(full)?.catch(() => undefined)
    const checkout = open?.checkout ?? checkoutToClose(agent, this.#options)
    const { limits } = this
    const closing = { checkout, refs: agent.refs, agent: agent.name, force: input.force, limits }
    const { keptRef } = await (open === undefined
      ? closeCheckout(closing)
      : open.alone(() => closeCheckout(closing)))
    this.#worktrees.delete(full)
    this.events.publish({ type: 'worktree_closed', worktree: full, agent: agent.name })
    return { id: full, closed: true, ...(keptRef !== undefined && { kept_ref: keptRef }) }
  }

  /** The token that works on one worktree. */
  tokenFor(id: string, scope: Scope): string {
    const agent = this.#parse(id)
    const secret = repositorySecret(this.#options.secret, agent.served.repository.commonDir)
    return worktreeToken(secret, idOf(agent), scope)
  }

  /** Who holds a token; undefined for a wrong one. */
  checkToken(token: string): Caller | undefined {
    const placeOf = (id: string): string | undefined =>
      this.#served.find(({ name }) => id.startsWith(`${name}~`))?.repository.commonDir
    return callerOf(this.#options.secret, token, placeOf)
  }

  /** Throws where the gateway could not work just now. */
  async checkReady(): Promise<void> {
    for (const served of this.#served) {
      await served.renew()
      await served.resolveRef('HEAD')
    }
  }

  /** Settles when every new worktree is set up, or has failed to be. */
  async setUp(): Promise<void> {
    await Promise.all(this.#served.map(served => served.settingUp.idle()))
  }

  /** Finishes the batches in flight and ends every child. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#worktrees.values())
    await Promise.all(opened.flatMap(one => (one.status === 'fulfilled' ? [one.value.stop()] : [])))
    await Promise.all(this.#served.map(served => served.stop()))
    await this.#parsers.close()
    await stopSpawnHelper()
  }

  #repository(name: string | undefined): ServedRepository {
    const found = name === undefined ? this.#only() : this.#served.find(one => one.name === name)
    if (found !== undefined) return found
    const repositories = this.#served.map(one => one.name)
    if (name === undefined)
      throw new Refusal('INVALID_ARGUMENTS', { problem: 'name the repo', repositories })
    throw new Refusal('NOT_FOUND', { repo: name.slice(0, 200), repositories })
  }

  #only(): ServedRepository | undefined {
    return this.#served.length === 1 ? this.#served[0] : undefined
  }

  /** The worktree of an agent, opened once; undefined where it has none. */
  async #known(agent: AgentPlace, input?: OpenWorktreeInput): Promise<Worktree | undefined> {
    const open = await this.#stillThere(idOf(agent))
    if (open !== undefined) return open
    const base = await agentBase(agent)
    if (base === undefined || (input !== undefined && !isRegistered(agent))) return undefined
    const make = async (): Promise<Worktree> =>
      this.#make(agent, base, await existingCheckout(agent, this.#options))
    return this.#remember(idOf(agent), make)
  }

  #create(agent: AgentPlace, input: OpenWorktreeInput): Promise<Worktree> {
    return this.#remember(idOf(agent), async () => {
      const { served, name, refs } = agent
      // A branch that lost its worktree keeps its base; what is left of one that is gone counts for nothing.
      const isAdopted = (await served.resolveRef(refs.branch)) !== undefined
      const known = isAdopted ? await agentBase(agent) : undefined
      const base = known ?? (await startingCommit(served, input.base))
      const { files = 'all', view = 'plain' } = input
      const { anchors: scheme = 'chunk' } = { ...this.#options, ...served.settings.own }
      const anchors = view === 'plain' ? undefined : scheme
      const checkout = await newCheckout(agent, { base, files, anchors }, this.#options)
      const branch = refs.branch.slice('refs/heads/'.length)
      this.events.publish({ type: 'worktree_opened', worktree: idOf(agent), agent: name, branch })
      const worktree = this.#make(agent, base, checkout)
      if (files === 'all') await prepareWorktree(worktree, this.#options, this.events)
      return worktree
    })
  }

  #make(agent: AgentPlace, base: Oid, checkout: Checkout): Worktree {
    const options = { ...this.#options, ...agent.served.settings.own }
    const { allowProtected, recordRefusal, meter = silentMeter } = options
    const { matching = defaultMatching, syntaxMs = fixedLimits.syntaxMs } = options
    const { limits, events } = this
    const rules = { limits, matching, syntaxMs, allowProtected, recordRefusal, meter, events }
    const { refs, name } = agent
    return new Worktree({ ...rules, checkout, base, refs, id: idOf(agent), agent: name })
  }

  /** An open worktree; one that went away is let go, so that a repair counts at once. */
  async #stillThere(id: string): Promise<Worktree | undefined> {
    const opening = this.#worktrees.get(id)
    const worktree = await opening
    if (worktree === undefined || worktree.checkout.isThere()) return worktree
    if (this.#worktrees.get(id) === opening) this.#worktrees.delete(id)
    await worktree.stop()
    return undefined
  }

  /** Opened once, also where two ask at the same time. A failure is not remembered: the next request tries again. */
  #remember(id: string, open: () => Promise<Worktree>): Promise<Worktree> {
    const known = this.#worktrees.get(id)
    if (known !== undefined) return known
    const opening = open().catch(error => {
      throw truerFault(faultAsRefusal(error), this.#parse(id).served.repository.commonDir)
    })
    this.#worktrees.set(id, opening)
    opening.catch(() => this.#worktrees.delete(id))
    return opening
  }

  /** `<repo>~<agent>`, or the agent alone where one repository is served. Refuses with `NOT_FOUND`. */
  #parse(id: string): AgentPlace {
    const tilde = id.lastIndexOf('~')
    const only = this.#only()
    const served = tilde < 0 ? only : this.#served.find(one => one.name === id.slice(0, tilde))
    const name = id.slice(tilde + 1)
    if (served === undefined || !isAgentName(name)) throw unknownWorktree(id)
    return agentPlace(served, name, this.#options)
  }
}
