/**
 * Examples for the description of the API: responses from the demo catalogue, recorded by `npm run examples`. The base URL of the
 * recording is replaced by the deployment's own.
 */
import recorded from './examples.json' with { type: 'json' };

const { address, answers, problems } = recorded as {
  address: string;
  answers: Readonly<Record<string, unknown>>;
  problems: Readonly<Record<string, unknown>>;
};

/** The recorded response to a route's example request. @param name the route's name. */
export function exampleAnswer(name: string, publicUrl: string): unknown {
  return under(publicUrl, answers[name]);
}

/** A recorded problem. */
export function exampleProblem(code: string, publicUrl: string): unknown {
  return under(publicUrl, problems[code]);
}

function under(publicUrl: string, value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(address, publicUrl));
}
