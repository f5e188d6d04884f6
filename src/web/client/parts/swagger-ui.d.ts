/** Types for the used part of Swagger UI, which has none. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    spec: unknown;
    domNode: Element | null;
    plugins: unknown[];
    deepLinking: boolean;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    syntaxHighlight: boolean;
    validatorUrl: null;
    onComplete(): void;
  }

  interface Shown {
    preauthorizeApiKey(scheme: string, key: string): void;
    authActions: { logout(schemes: string[]): void };
  }

  export default function show(options: Options): Shown;
}
