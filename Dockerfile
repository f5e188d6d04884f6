# syntax=docker/dockerfile:1
# The gateway: built with everything, run with what it needs alone.
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY build.js prisma.config.ts tsconfig.json ./
COPY prisma ./prisma
COPY src ./src
RUN npm run -s build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:22-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/dist ./dist
COPY demo ./demo
COPY docs ./docs
RUN chmod +x dist/pda.js && ln -s /app/dist/pda.js /usr/local/bin/pda \
    && mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "dist/main.js"]
