// Imports run downward: main → workers → gateway → server → server-routes → mcp, web → rest | graphql → clicks → http → access, catalogue →
// ledger → database; the importer and the command line stand beside rest. Nothing imports main or the command line, and nothing runs in a circle.
const below = (name, from, to) => ({
  name,
  severity: 'error',
  comment: `src/${from} stands below src/${to} and must not know it.`,
  from: { path: `^src/(${from})/` },
  // A whole name: `cli` is not the start of `clicks`, but `server` is also `server-routes`.
  to: { path: `^src/(${to})\\b` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-open-knows-the-embedded-database',
      severity: 'error',
      comment: 'Everything else sees a connection: src/database/open.ts chooses.',
      from: { pathNot: '^src/database/(embedded/|open\\.ts$)' },
      to: { path: '^src/database/embedded/' },
    },
    below(
      'values-are-pure',
      'values',
      'database|access|catalogue|clicks|http|graphql|rest|web|mcp|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'the-network-is-the-ground',
      'network',
      'database|access|catalogue|ledger|clicks|webhooks|http|graphql|rest|web|mcp|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'database-is-the-ground',
      'database',
      'access|catalogue|ledger|http|graphql|rest|web|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'the-ledger-stands-below-the-catalogue',
      'ledger',
      'access|catalogue|clicks|http|graphql|rest|web|mcp|chart|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'access-and-catalogue-are-the-domain',
      'access|catalogue',
      'http|graphql|rest|web|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'http-stands-below-both-faces',
      'http',
      'graphql|rest|web|import|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'clicks-stand-on-the-gate',
      'clicks',
      'graphql|rest|web|mcp|chart|import|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'nothing-below-knows-clicks',
      'database|access|catalogue|chart|http|graphql|rest|mcp|web|operations|import',
      'clicks',
    ),
    below(
      'webhooks-stand-on-access-and-catalogue',
      'webhooks',
      'http|graphql|rest|web|mcp|clicks|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below('nothing-below-knows-webhooks', 'values|network|database|access|ledger|catalogue|http', 'webhooks'),
    below('feeds-stand-on-the-importer', 'feeds', 'http|graphql|rest|web|mcp|cli|demo|main|gateway|server|services'),
    below(
      'nothing-below-knows-feeds',
      'values|network|database|access|ledger|catalogue|http|graphql|rest|mcp|import|operations',
      'feeds',
    ),
    below(
      'accounts-stand-on-access-and-catalogue',
      'account',
      'http|graphql|rest|web|mcp|clicks|import|operations|cli|demo|main|gateway|server|services|config',
    ),
    below('nothing-below-knows-accounts', 'values|network|database|access|ledger|catalogue|http', 'account'),
    below('graphql-does-not-know-its-faces', 'graphql', 'rest|web|import|cli|demo|main|gateway|server|services|config'),
    below(
      'import-stands-beside-rest',
      'import',
      'http|graphql|rest|operations|cli|demo|main|gateway|server|services|config',
    ),
    below(
      'rest-and-operations-are-handlers',
      'rest|operations',
      'web|import|cli|demo|main|gateway|server|services|config',
    ),
    below('mcp-stands-on-rest', 'mcp', 'graphql|import|cli|demo|main|gateway|server|services|config'),
    below('nothing-below-knows-mcp', 'database|access|catalogue|http|graphql|rest|operations|import', 'mcp'),
    {
      name: 'the-mcp-sdk-is-loaded-when-it-is-needed',
      severity: 'error',
      comment:
        'Half a megabyte that most processes never use: src/mcp/protocol.ts alone has it, and is imported by import() alone.',
      from: { pathNot: '^src/mcp/protocol\\.ts$' },
      to: { path: '@modelcontextprotocol/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-mcp-protocol-is-loaded-when-it-is-needed',
      severity: 'error',
      from: {},
      to: { path: '^src/mcp/protocol\\.ts$', dynamic: false },
    },
    {
      name: 'opentelemetry-is-loaded-when-it-is-needed',
      severity: 'error',
      comment: 'src/operations/opentelemetry.ts alone has it, and is imported by import() alone.',
      from: { pathNot: '^src/operations/opentelemetry\\.ts$' },
      to: { path: '@opentelemetry/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'traces-begin-when-they-are-wanted',
      severity: 'error',
      from: {},
      to: { path: '^src/operations/opentelemetry\\.ts$', dynamic: false },
    },
    below(
      'chart-stands-on-the-catalogue',
      'chart',
      'http|graphql|rest|web|mcp|import|cli|demo|main|gateway|server|services|config',
    ),
    below('nothing-below-rest-draws', 'database|access|catalogue|http|graphql|import|operations', 'chart'),
    below('web-stands-on-all-faces', 'web', 'cli|demo|main|gateway|server|services|config'),
    {
      name: 'only-the-console-imports-and-detaches',
      severity: 'error',
      comment: 'Pages for everybody read what imports have written. The console does what the command line does.',
      from: { path: '^src/web/', pathNot: '^src/web/console/' },
      to: { path: '^src/import/' },
    },
    below(
      'the-console-stands-on-access',
      'console',
      'http|graphql|rest|web|mcp|chart|import|cli|demo|main|gateway|server|services|config',
    ),
    {
      name: 'what-runs-in-browsers-stands-alone',
      severity: 'error',
      comment: 'src/web/client is bundled for browsers: what it imports besides itself goes there too.',
      from: { path: '^src/web/client/' },
      to: { path: '^src/', pathNot: '^src/web/client/' },
    },
    {
      name: 'only-main-knows-workers',
      severity: 'error',
      comment: 'Loaded with import() when WORKERS is above 1, so that a single process pays nothing for them.',
      from: { pathNot: '^src/(main\\.ts$|workers/)' },
      to: { path: '^src/workers/' },
    },
    {
      name: 'workers-are-loaded-when-they-are-needed',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/workers/', dynamic: false },
    },
    {
      name: 'nothing-imports-the-entries',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|pull-feeds|cli/pda)\\.ts$' },
    },
    {
      name: 'nothing-but-the-command-line-imports-it',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'src/generated'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
