/** What a client selects below a field, so that one statement can read it together with the field. */
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

// Documents are parsed once and cached, so their nodes are, too.
const known = new WeakMap<FieldNode, Map<string, boolean>>();

/**
 * Whether a resolver's field selects the field at a path below it, such as `nodes.identifier`, itself or by fragments. A field under a
 * condition (`@include`, `@skip`) counts as selected.
 */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, path: string): boolean {
  return fieldNodes.some((node) => {
    const answers = known.get(node) ?? new Map<string, boolean>();
    known.set(node, answers);
    const answer = answers.get(path) ?? isBelow(node.selectionSet, path.split('.'), fragments, new Set());
    answers.set(path, answer);
    return answer;
  });
}

/** @param seen fragments that were entered on this level, each once, however often a document spreads them. */
function isBelow(
  selected: SelectionSetNode | undefined,
  path: readonly string[],
  fragments: GraphQLResolveInfo['fragments'],
  seen: Set<string>,
): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return (selected?.selections ?? []).some((selection) => {
    if (selection.kind === 'InlineFragment') return isBelow(selection.selectionSet, path, fragments, seen);
    const { value } = selection.name;
    if (selection.kind === 'Field') {
      return value === name && isBelow(selection.selectionSet, rest, fragments, new Set());
    }
    if (seen.has(value)) return false;
    seen.add(value);
    return isBelow(fragments[value]?.selectionSet, path, fragments, seen);
  });
}
