/** The categories of goods that are sold by their amount. Only there does an amount in a name say how much of the goods one gets. */

/** Ids of Google's taxonomy; all categories below them count, too. */
const SOLD_BY_MEASURE: ReadonlySet<number> = new Set([
  413, // Beverages
  422, // Food Items
  562, // Baby & Toddler Food
  3367, // Cat Food
  3530, // Dog Food
  4990, // Bird Food
  5015, // Small Animal Food
  5024, // Fish Food
  5026, // Reptile & Amphibian Food
  4973, // Household Cleaning Products
  2754, // Laundry Detergent
  2794, // Fabric Softeners & Dryer Sheets
  4657, // Fabric Stain Removers
  4982, // Bleach
  2522, // Bath Additives
  2747, // Body Wash
  3208, // Liquid Hand Soap
  7417, // Powdered Hand Soap
  479, // Perfume & Cologne
  2592, // Lotion & Moisturizer
  2844, // Sunscreen
  5980, // Body Powder
  6104, // Body Oil
  2526, // Facial Cleansers
  5976, // Toners & Astringents
  543615, // Shampoo
  543616, // Conditioners
  1901, // Hair Styling Products
  543598, // Deodorant
  529, // Aftershave
  2971, // Shaving Cream
  5664, // Massage Oil
  1360, // Toothpaste
  3040, // Mouthwash
  5702, // Nutrition Drinks & Shakes
]);

/** Those below that are not: what they hold differs from piece to piece. */
const EXCEPT: ReadonlySet<number> = new Set([
  136, // Food Gift Baskets
]);

export interface TreeNode {
  id: bigint;
  google_id: number;
  parent_id: bigint | null;
}

/** The ids of the categories of a tree that are sold by their amount. */
export function findSoldByMeasure(tree: readonly TreeNode[]): ReadonlySet<bigint> {
  const byId = new Map(tree.map((node) => [node.id, node]));
  const found = new Set<bigint>();
  for (const node of tree) {
    for (let at: TreeNode | undefined = node; at; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) {
      if (EXCEPT.has(at.google_id)) break;
      if (!SOLD_BY_MEASURE.has(at.google_id)) continue;
      found.add(node.id);
      break;
    }
  }
  return found;
}
