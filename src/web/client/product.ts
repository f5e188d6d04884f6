/** Takes away the frame of a product's picture that its shop does not have any more. */
for (const picture of document.querySelectorAll<HTMLImageElement>('img.product-image')) {
  const isBroken = () => picture.complete && picture.naturalWidth === 0;
  if (isBroken()) picture.remove();
  else picture.addEventListener('error', () => picture.remove());
}
