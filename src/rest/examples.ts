/**
 * Examples for the description of the API: answers that the demo catalogue has given, recorded by `npm run examples`. They
 * were given under one address, which is replaced by the deployment's own.
 */
import recorded from './examples.json' with { type: 'json' };

const { address, answers, problems } = recorded as {
  address: string;
  answers: Readonly<Record<string, unknown>>;
  problems: Readonly<Record<string, unknown>>;
};

/** What a route has answered to its example request. @param name the route's. */
export function exampleAnswer(name: string, publicUrl: string): unknown {
  return under(publicUrl, answers[name]);
}

/** A problem that a request has been answered with. */
export function exampleProblem(code: string, publicUrl: string): unknown {
  return under(publicUrl, problems[code]);
}

function under(publicUrl: string, value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(address, publicUrl));
}
