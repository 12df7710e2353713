// Picks the commits that `npm run bench:tokens` replays, by a rule that knows nothing of results: of the newest
// 3,000 commits of each repository, seven evenly spaced ones of those that only modify one to four source files
// by 2 to 40 lines. Usage: node scripts/pick-token-commits.mjs MIRROR > scripts/bench/token-commits.json
import { join } from 'node:path'
import { evenlySpaced, smallCommits } from './bench/small-commits.mjs'

const names = [
  ...['BurntSushi/ripgrep', 'cline/cline', 'excalidraw/excalidraw', 'facebook/metro'],
  ...['gin-gonic/gin', 'google-gemini/gemini-cli', 'honojs/hono', 'laravel/framework'],
  ...['microsoft/playwright', 'notepad-plus-plus/notepad-plus-plus', 'pallets/flask'],
  ...['psf/requests', 'sinatra/sinatra', 'sveltejs/svelte', 'tusen-ai/naive-ui', 'vitejs/vite'],
  ...['voideditor/void', 'vuejs/core', 'vuetifyjs/vuetify'],
]
const perRepository = 7
const mirror = process.argv[2] ?? '.'

const repositories = names.map(name => ({
  name,
  commits: evenlySpaced(smallCommits(join(mirror, name.replace('/', '+'), 'repo')), perRepository),
}))
process.stdout.write(`${JSON.stringify({ repositories }, null, 2)}\n`)
