/**
 * Why a check of the suite says nothing of this server: what it looks for is not offered. The scenario and what it
 * found must both fit, so that a real fault in the same scenario is still one.
 * @type {readonly { readonly scenario: RegExp, readonly found: RegExp, readonly reason: string }[]}
 */
const reasons = [
  {
    scenario: /^tasks-/,
    found: /(?:)/,
    reason: 'the extension for tasks is not offered: every call answers itself',
  },
  {
    scenario: /^(?:tools-call-|elicitation-|input-required-result-)/,
    found: /there is no tool test_|Expected InputRequiredResult|Prerequisite failed/,
    reason: 'calls a tool that only the reference server of the suite has',
  },
  {
    scenario: /^server-stateless$/,
    found: /^Not testable: server does not list the diagnostic tool 'test_/,
    reason: 'calls a tool that only the reference server of the suite has',
  },
  {
    scenario: /^json-schema-2020-12$/,
    found: /'json_schema_2020_12_tool' not found/,
    reason: 'wants a schema with keywords that many clients refuse',
  },
  {
    scenario: /^http-custom-header-server-validation$/,
    found: /^Not testable: server exposes no tool with x-mcp-header/,
    reason: 'no tool takes an argument as a header',
  },
  {
    scenario: /^resources-(?:read-text|read-binary|templates-read)$/,
    found: /there is no such resource/,
    reason: 'reads a resource that only the reference server of the suite has',
  },
  {
    scenario: /^resources-(?:un)?subscribe$/,
    found: /Method not found/,
    reason: 'resources cannot be subscribed to',
  },
  { scenario: /^(?:prompts-|caching$)/, found: /Method not found/, reason: 'there are no prompts' },
  {
    scenario: /^input-required-result-non-tool-request$/,
    found: /Method not found/,
    reason: 'there are no prompts',
  },
  {
    scenario: /^completion-complete$/,
    found: /Method not found/,
    reason: 'there is nothing to complete',
  },
  {
    scenario: /^(?:logging-set-level|tools-call-with-logging)$/,
    found: /Method not found/,
    reason: 'no log goes to clients; that is deprecated',
  },
]

/**
 * @param {string} scenario
 * @param {string} found
 * @returns {string | undefined}
 */
export function reasonFor(scenario, found) {
  return reasons.find(one => one.scenario.test(scenario) && one.found.test(found))?.reason
}
