/** Removes a product's image if the shop no longer serves it. */
for (const picture of document.querySelectorAll<HTMLImageElement>('img.product-image')) {
  const isBroken = () => picture.complete && picture.naturalWidth === 0;
  if (isBroken()) picture.remove();
  else picture.addEventListener('error', () => picture.remove());
}
