/** A number with its noun. @example counted(1, 'row') // '1 row' */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
