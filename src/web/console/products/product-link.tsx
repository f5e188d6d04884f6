/** The product that a page is about, with the way back to it. */
import { External } from '../../external-text.tsx';
import { productPath } from './paths.ts';

export const ProductLink = ({ id, name }: { id: string; name: string }) => (
  <p class="lede">
    <a href={productPath(id)}>
      <External>{name}</External>
    </a>
  </p>
);
