/** Example responses for the description of the API, from the demo catalogue by `npm run examples`, with the deployment's base URL. */
import recorded from './examples.json' with { type: 'json' };

const { address, answers, problems }: { address: string; answers: Examples; problems: Examples } = recorded;

type Examples = Readonly<Record<string, unknown>>;

/** The recorded response to a route's example request. @param name the route's name. */
export const exampleAnswer = (name: string, publicUrl: string): unknown => under(publicUrl, answers[name]);

/** A recorded problem. */
export const exampleProblem = (code: string, publicUrl: string): unknown => under(publicUrl, problems[code]);

function under(publicUrl: string, value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(address, publicUrl));
}
