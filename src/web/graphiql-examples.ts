/** The operations that GraphiQL opens with, one per tab. Each has a result in the demo catalogue. */

export interface Example {
  query: string;
  variables?: Record<string, unknown>;
}

const WELCOME = `# Welcome to the Product Data API!
#
# 1. Put your key into "x-api-key" under Headers.
#    This browser keeps it for all tabs.
# 2. Press Ctrl-Enter or the button to run this.
# 3. The book on the left opens the documentation;
#    Ctrl-Space completes what you type.
#
# Each top-level field costs one request.
`;

// The first has no variables, so GraphiQL opens with the headers below it, where the key goes.
export const EXAMPLES: readonly Example[] = [
  {
    query: `${WELCOME}
query Lookup {
  lookup(ean: "4006381333931") {
    product {
      name
      brandName
    }
    priceStats {
      currency
      min
      max
      lowestEver
      offerCount
    }
    offers {
      merchantName
      totalPrice
      availability
      url
    }
  }
}
`,
  },
  {
    query: `# Search with facets: counts of the results.
query SearchWithFacets {
  products(filter: { query: "headphones", maxPrice: 200 }, sort: price_asc, first: 5) {
    totalCount
    nodes {
      name
      brandName
      priceStats {
        min
        offerCount
      }
    }
    facets {
      brands {
        brand {
          name
        }
        count
      }
      priceRanges {
        min
        max
        count
      }
      availability {
        availability
        count
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`,
  },
  {
    query: `# Price history of the cheapest in a category.
query PriceHistoryOfTheCheapest {
  products(filter: { category: "headphones" }, sort: price_asc, first: 3) {
    nodes {
      name
      priceStats {
        min
        lowestEver
      }
      priceHistory(days: 180, interval: month) {
        lowestEver {
          price
          date
        }
        points {
          date
          min
          avg
          max
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Is the price good? Statistics of new goods in stock.
query PriceStatistics {
  product(id: "aurelio-tempo-headphones-white") {
    name
    statistics(condition: new, availability: in_stock) {
      currency
      current
      low {
        price
        firstDay
        lastDay
        merchants
      }
      windows {
        days
        min
        median
        outOfStockPercent
      }
      percentile
      isLowest90
      drops
    }
  }
}
`,
  },
  {
    query: `# How prices develop: a chained Jevons index,
# 100 at the end of the first day.
query PriceIndex {
  headphones: priceIndex(category: "headphones", days: 365, interval: month) {
    ...Index
  }
  sonavia: priceIndex(brand: "sonavia", days: 365, interval: month) {
    ...Index
  }
}

fragment Index on PriceIndex {
  from
  to
  points {
    date
    index
    productCount
  }
}
`,
  },
  {
    query: `# Which shops are cheap? New goods in stock, compared.
query MerchantComparison {
  merchantComparison(category: "headphones") {
    merchant {
      name
    }
    productCount
    cheapestPercent
    medianDistancePercent
    outOfStockPercent
  }
}
`,
  },
  {
    query: `# Up to 100 lookups at once, one request each.
query ManyLookups($identifiers: [IdentifierInput!]!) {
  lookups(identifiers: $identifiers) {
    identifier {
      ean
      asin
    }
    product {
      name
    }
    priceStats {
      min
      currency
    }
  }
  viewer {
    remaining
    resetAt
  }
}
`,
    variables: { identifiers: [{ ean: '4006381333931' }, { asin: 'B0DEMO0001' }] },
  },
  {
    query: `# Live prices: an event for each change, about
# a second after its import. To continue after
# a disconnect, send the last cursor as \`after\`.
subscription LivePrices {
  priceChanged(productIds: ["markina-glow-line-highlighter-yellow"]) {
    cursor
    types
    at
    previousMin
    min
    currency
    product {
      name
      offers {
        merchantName
        totalPrice
      }
    }
  }
}
`,
  },
];
