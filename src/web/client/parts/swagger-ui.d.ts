/** Types for the used part of Swagger UI, which has none. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Shown {
    preauthorizeApiKey(scheme: string, key: string): void;
    authActions: { logout(schemes: string[]): void };
  }

  export default function show(options: object): Shown;
}
