/** An event that happens once and can be awaited. */
export function signal(): { raised: Promise<void>; raise(): void } {
  let raise = () => {};
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });
  return { raised, raise };
}
