// Written by `npm run codegen`: do not change it by hand.
/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Whether an offer can be bought now, in Google Merchant Center's terms. */
export type Availability =
  /** It can be ordered and ships once it is back in stock. */
  | 'backorder'
  /** In stock: it ships now. */
  | 'in_stock'
  /** It cannot be bought now. */
  | 'out_of_stock'
  /** It can be ordered before its release. */
  | 'preorder';

export type ExampleLookupQueryVariables = Exact<{
  ean: string;
}>;


export type ExampleLookupQuery = { lookup: { product: { id: string, name: string }, priceStats: { min: number | null, currency: string }, offers: Array<{ merchantName: string, totalPrice: number, availability: Availability }> } | null };

export type ExamplePricesSubscriptionVariables = Exact<{
  ids: Array<string> | string;
  after?: string | null | undefined;
}>;


export type ExamplePricesSubscription = { priceChanged: { cursor: string, at: string, previousMin: number | null, min: number | null, currency: string, product: { name: string } } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const ExampleLookupDocument = new TypedDocumentString(`
    query ExampleLookup($ean: String!) {
  lookup(ean: $ean) {
    product {
      id
      name
    }
    priceStats {
      min
      currency
    }
    offers {
      merchantName
      totalPrice
      availability
    }
  }
}
    `, {"hash":"sha256:d3d92736f351fb37d528d8e67517a3105f577aefdad18ae3a8c6f11f9f9d3856"}) as unknown as TypedDocumentString<ExampleLookupQuery, ExampleLookupQueryVariables>;
export const ExamplePricesDocument = new TypedDocumentString(`
    subscription ExamplePrices($ids: [ID!]!, $after: String) {
  priceChanged(productIds: $ids, after: $after) {
    cursor
    at
    previousMin
    min
    currency
    product {
      name
    }
  }
}
    `, {"hash":"sha256:7353f8d16ae42d640150976d651040093840e1baadf1103bc8e2acfa43dc848f"}) as unknown as TypedDocumentString<ExamplePricesSubscription, ExamplePricesSubscriptionVariables>;
