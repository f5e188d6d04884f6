// Written by `npm run codegen`: do not change it by hand.
/* eslint-disable */
export * from "./gql.js";
