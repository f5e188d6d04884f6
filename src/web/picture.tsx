/** A product's picture from its shop, over a tile with the first letter of its name, which stays if there is no picture. */

interface PictureProps {
  name: string;
  image: string | null | undefined;
  /** The width and height in pixels. */
  size: number;
}

export function Picture({ name, image, size }: PictureProps) {
  return (
    <span class="picture" data-letter={firstLetter(name)} aria-hidden="true">
      {/* Browsers load no other images here: see security-headers.ts. */}
      {image?.startsWith('https://') && (
        <img src={image} alt="" width={size} height={size} loading="lazy" referrerpolicy="no-referrer" />
      )}
    </span>
  );
}

const firstLetter = (name: string) => /\p{L}|\p{N}/u.exec(name)?.[0].toUpperCase() ?? '';
