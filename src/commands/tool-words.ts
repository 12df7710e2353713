import { nativeWords, type Words } from '../core/wording.js'
import { editsDialect } from './edit-tools.js'
import type { ToolSettings } from './tool.js'
import { toolList } from './tool-list.js'

/** What refusals call things for a model that has these tools. */
export function toolWords(settings: ToolSettings): Words {
  const has = (name: string): boolean => toolList(settings).some(tool => tool.name === name)
  const byDraft = 'begin a draft with draft_write and give draft_commit expected_rev "new"'
  const dialect = has('edit_files') ? editsDialect(settings.dialects) : undefined
  return {
    read: 'Read the file with read_file',
    list: has('repo_map') ? 'List the files with repo_map' : nativeWords.list,
    create: (dialect && creations[dialect]) ?? byDraft,
    write_bytes:
      dialect === 'ops' && settings.degraded !== true
        ? 'Replace the whole file with edit_files, op write_file and content_base64'
        : 'Tell a person that these tools cannot write it',
    no_file: '"new"',
  }
}

/** How a file comes to be in each dialect that can make one. */
const creations: Readonly<Record<string, string>> = {
  ops: 'create it with edit_files, op write_file and expected_rev "new"',
  search_replace: 'create it with edit_files, an empty old_string and expected_rev "new"',
  opencode: 'create it with edit_files, an empty oldString and expected_rev "new"',
  whole_file: 'create it with edit_files and expected_rev "new"',
  hashline: 'create it with edit_files, op write and expected_rev "new"',
}
