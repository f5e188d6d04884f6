/** Takes away pictures that shops do not deliver, so that the letter behind them shows. */
const isBroken = (image: HTMLImageElement) => image.complete && image.naturalWidth === 0;

// Errors of pictures do not bubble, but can be captured. Some may have happened before this runs.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.closest('.picture')) target.hidden = true;
  },
  true,
);
for (const image of document.querySelectorAll<HTMLImageElement>('.picture > img')) {
  if (isBroken(image) && image.currentSrc !== '') image.hidden = true;
}
