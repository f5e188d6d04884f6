import { defineConfig } from 'prisma/config';

// `prisma generate` looks for the schema engine's binary and downloads it when it finds none, but never runs it.
// Naming any executable keeps the command off the network; `prisma migrate`, which does run it, stays untouched.
if (process.argv.includes('generate')) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
