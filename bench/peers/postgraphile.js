// PostGraphile 5 on the same tables, with its preset for performance; needs Node.js 22 or newer.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';

// Relations that the tables have without a constraint.
const relations = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      offer: { tags: { foreignKey: '(merchant_id) references merchant (id)' } },
      product: { tags: { foreignKey: '(brand_id) references brand (id)' } },
    },
  },
});

const server = createServer();
const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [relations],
  // It hides what no plain index serves; offers are reached by a partial one.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [
    makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 10 } }),
  ],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
});
await service.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
