// Written by `npm run codegen`: do not change it by hand.
export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service index
         * @description Links to everything the service offers. Also at `/` for clients that do not ask for HTML. Public and free.
         */
        get: operations["getServiceIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a product by EAN/GTIN or ASIN
         * @description The product with an identifier, its price statistics and the offers of all shops, cheapest first. Send exactly one of `ean` and `asin`. `Link` headers point to the product (`item`), its offers (`collection`) and its price history (`history`). Costs one request.
         */
        get: operations["lookUp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lookups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up to 100 products at once
         * @description Exactly one result per entry, in the order of the entries. `result` is the `data` of `/api/v1/lookup`, but lists at most `offers` offers; without `offers` it lists all. If the results would list more than 10000 offers together, each lists only its cheapest. `priceStats` counts all offers in any case. An entry that cannot be read, or whose code can mean several products, has a `problem` and does not affect the others. If the quota has fewer requests left than entries, nothing is looked up and nothing is charged. Costs one request for each entry; a refused body costs one.
         */
        post: operations["lookUpMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the products that any code may mean
         * @description Accepts EAN-8, UPC-A, UPC-E, EAN-13, GTIN-14, ISBN-10, ISBN-13, ISSN, ASIN, element strings such as `(01)04006381333931`, and GS1 Digital Links; blanks and hyphens are ignored. `readings` are the ways to read the code, `candidates` the products with one of them. A wrong check digit gives a `suggestion` and no reading. A code that can be read is answered 200, also without a product. Costs one request.
         */
        get: operations["resolveCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search and filter products
         * @description A paged list of products. All filters must match; of several values for one filter, one must. One offer must meet all filters on offers: `merchant`, `availability`, `condition` and `inStock`. An unknown category, brand or merchant matches nothing. `/api/v1/facets` counts the values to filter by. Paging neither repeats nor skips a product that does not change. Costs one request.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facets of a list of products
         * @description How many products each category, brand, merchant, availability, condition, price range and attribute value has, largest first, at most 100 values each. Takes all filters of `/api/v1/products`; each facet ignores the filter by its own field. A count equals the `page.total` of `/api/v1/products` with this value for its field and the other filters unchanged: also at most 10000. For a minute after a change of more than 2000 products the counts may be older: then `asOf` is the moment that they show. A category counts its subcategories. Price ranges do not overlap: their ends are prices of products, for `minPrice` and `maxPrice`. Costs one request.
         */
        get: operations["getFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Product detail
         * @description A product with all its details, offers and variants: the other products that the shop that founded it, or two shops, list in one group with it, such as other sizes and colours, with the attributes that differ (at most 100; of those that only one shop sells, the first five; groups of more than 100 products are left out). An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it. Costs one request.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All offers of a product
         * @description The offers of all shops for a product, cheapest first, then by shop name. The list is not paged. `totalPrice` of an offer with `shippingKnown` false is without shipping, because the shop does not state it; `shipping=known` leaves such offers out. An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it. Costs one request.
         */
        get: operations["listOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/price-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price history of a product
         * @description The price history of a product by day, week or month in UTC. A price applies until it changes or its offer is withdrawn: `min` and `max` cover all prices during the interval of a point, `avg` is weighted by time. Intervals without a price have no point. Weeks start on Monday. `inStock` is the share of the interval in which an offer was in stock, `minInStock` the lowest price then. `Accept: image/svg+xml` returns a chart. Costs one request.
         */
        get: operations["getPriceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/price-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price statistics of a product
         * @description Figures about the lowest matching total price at each instant: the lowest and the highest price with their days and shops, minimum, maximum, average and median of the last 30, 90 and 365 days and of all time, how often the price fell, and how long the product was out of stock. Averages, medians and shares are weighted by time. Prices that are probably typing errors are left out and counted in `excluded`; `currentExcluded` names the cheapest offer if its price is one of them. The prices are those with stated shipping; only if none is known at the end of the time span, those without (`shippingKnown`). `windows` end with the time span, which bounds all other figures; it covers all time by default. Costs one request.
         */
        get: operations["getPriceStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price index of a category, brand or shop
         * @description How prices have developed in a category with its subcategories, of a brand or at a shop: a chained Jevons index, 100 at the end of the first day. Each day compares the offers that were listed at the end of that day and of the day before, by their total prices, without prices that are probably typing errors. A point has the index at the end of the last day of its interval, with the numbers of products and offers that this day compares; intervals whose last day compares none have no point. Send exactly one of `category`, `brand` and `merchant`; an unknown one has no points. At most 1,000 points. Costs one request.
         */
        get: operations["getPriceIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchant-comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Comparison of the shops in a category or brand
         * @description How the shops in a category with its subcategories, or of a brand, stand now: at how many of its products each is the cheapest, how far its prices are from the lowest, and how much it has out of stock. Only new offers count; prices are compared with shipping, those whose shipping is not stated after all others, among offers in stock, without prices that are probably typing errors. Most products first, at most 100 shops. Send exactly one of `category` and `brand`; an unknown one returns an empty list. Costs one request.
         */
        get: operations["compareMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Products whose price fell
         * @description The products whose lowest price in stock is lower than before, largest fall first. `price` is the lowest total price in stock for `condition` and `merchant`, `since` the time at which it began, `previous` the lowest such price in the 30 days before, and `percent` the fall from there. Prices with stated shipping are compared with each other; only where none is known, those without. Prices that are probably typing errors do not count. All filters must match; an unknown category, brand or merchant returns an empty list. A change of a price shows a few seconds after its import. Costs one request.
         */
        get: operations["findDeals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed, in order
         * @description The stream of changes: one line for each offer and each product that an import changed, in the order of the commits, with the offer or the product before and after. Start with the cursor of an export, with `cursor=now`, or without a cursor at the oldest change that is kept; continue with `page.nextCursor`, which is present on an empty page, too. `page.hasMore` tells whether more can be read now. `wait` lets the request wait for the next change. A cursor is independent of the filters. An unknown category, brand, merchant or product matches nothing. Costs one request for each 100 changes begun, at least one; a page is shortened to what remains of the quota.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Category tree
         * @description The categories by name, each with its subcategories. `productCount` includes the products of subcategories. Costs one request.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Brands
         * @description The brands by name, with their numbers of products. Costs one request.
         */
        get: operations["listBrands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Merchants
         * @description The shops by name, with their numbers of current offers and the time of their newest feed. Costs one request.
         */
        get: operations["listMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Typeahead search
         * @description Suggestions for the text typed so far, best first: whole words, prefixes, other readings (quantities, words joined or split, singular for plural, synonyms), then words with one typing error; equal ones by the number of shops, then stock, then completeness. Works from the first letter; accents are ignored. A GTIN or an ASIN finds its product. Costs one request.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Guide articles
         * @description Guides in Markdown, newest first. Costs one request.
         */
        get: operations["listArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your usage
         * @description The plan of the key, its quota, its requests a minute, and the requests of each day up to and including today. A `quota.limit` of 0 means unlimited; `quota.remaining` is 9007199254740991 then. Free, at most 60 a minute.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate your key
         * @description Gives the key a new text, which is only in this response: store it. The former text works for `graceHours` more, and only reads: it rotates no key and changes no webhook. Plan, usage and webhooks stay. A key can have at most 10 texts in 24 hours, of which 5 may work at the same time. Free, at most 60 a minute.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your webhooks
         * @description The webhooks of the key, oldest first. Free, at most 60 a minute.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Creates a webhook. `secret` is only in this response: store it, to verify the signatures of messages. The webhook is enabled once its receiver has confirmed the address by its answer to `webhook.verify`. A plan allows 1 (free), 10 (starter), 100 (pro) or 1000 (enterprise) webhooks. Free, at most 60 a minute.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook
         * @description One webhook of the key, with the reason if it is disabled. Free, at most 60 a minute.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook with its deliveries. Messages that still wait are not sent. Free, at most 60 a minute.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes the members that the body has. `filter` replaces the whole filter. Another `url` must be confirmed like that of a new webhook. `enabled: true` starts messages again, also after the service has disabled the webhook, and asks the receiver again to confirm an address that is not confirmed. Free, at most 60 a minute.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of a webhook
         * @description The messages of the last 30 days, newest first, each with the result of its last attempt. Tests are kept for a day. Free, at most 60 a minute.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Sends an example message of the first kind, with `data.test` true, signed and retried like every other. The response is its delivery, which is still waiting. Free, at most 60 a minute.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send past messages again
         * @description Sends past deliveries again, oldest first and at most 1000, or what the plan has left of the messages of this minute, with the same message ids. Send exactly one of `from` and `deliveries`. Messages that still wait are left alone, and so are tests, unless `deliveries` has them. If there was no room for all, go on with `nextFrom` as `from`, or send the ids in `remaining` again as `deliveries`. With `from`, the request counts as ten in the limits. Free, at most 60 a minute.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plans
         * @description The plans that keys are issued for. A `monthlyQuota` of 0 means unlimited; a `priceEur` of null means on request. Public and free.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Description of the API in OpenAPI 3.1
         * @description This description, for tools that generate clients or documentation. Public and free.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Overview for language models
         * @description An overview of the service and its use, as plain text following the llms.txt convention. Public and free.
         */
        get: operations["getLlmsText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all products
         * @description Every product that the filter selects, by id, as one JSON object per line; the last line has `end`. Prices are in the export of offers. Costs one request for each 100 lines begun, at least one.
         */
        get: operations["exportProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all offers
         * @description Every current offer that the filter selects, by id, as one JSON object per line; the last line has `end`. Costs one request for each 100 lines begun, at least one.
         */
        get: operations["exportOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the price history
         * @description Every recorded entry that the filter selects, by product, offer and time, as one JSON object per line; the last line has `end`. An entry holds until the next one of its offer at the product; `listed` is false where the offer ended. Costs one request for each 100 lines begun, at least one.
         */
        get: operations["exportHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    price_changed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: price_changed
         * @description The lowest total price of a product rose or fell, by at least `minPercent` if that is set. Signed according to Standard Webhooks.
         */
        post: operations["receivePriceChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    price_below: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: price_below
         * @description The lowest total price of a product fell to `below` or less, from a higher price or from none. Signed according to Standard Webhooks.
         */
        post: operations["receivePriceBelow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    new_low: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: new_low
         * @description The lowest total price of a product is lower than ever before. Signed according to Standard Webhooks.
         */
        post: operations["receiveNewLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    low_equalled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: low_equalled
         * @description The lowest total price of a product fell to the lowest that it ever was. Signed according to Standard Webhooks.
         */
        post: operations["receiveLowEqualled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    back_in_stock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: back_in_stock
         * @description An offer is in stock that was not. Signed according to Standard Webhooks.
         */
        post: operations["receiveBackInStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    offer_withdrawn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: offer_withdrawn
         * @description A shop no longer offers a product. Signed according to Standard Webhooks.
         */
        post: operations["receiveOfferWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    product_found: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: product_found
         * @description A GTIN or ASIN in `codes` that no product had is now known. Signed according to Standard Webhooks.
         */
        post: operations["receiveProductFound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message: webhook.verify
         * @description Asks the receiver of a new or changed address to confirm it: nothing else is sent to it before. Signed according to Standard Webhooks.
         */
        post: operations["receiveWebhookVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The position of this page in the list. */
        Page: {
            /** @description The maximum number of items on the page. */
            limit: number;
            /** @description The `cursor` of the next page; absent on the last page. */
            nextCursor?: string;
        };
        /** @description The position of this page in a list without an end. */
        StreamPage: {
            /** @description The maximum number of items on the page. */
            limit: number;
            /** @description The `cursor` to continue with, on an empty page, too. */
            nextCursor: string;
            /** @description Whether more can be read now. Without more, ask again later. */
            hasMore: boolean;
        };
        CountedPage: components["schemas"]["Page"] & {
            /** @description The number of items in the list. */
            total: number;
            /**
             * @description Present if the list has more than 10000 items; `total` is then 10000.
             * @constant
             */
            totalIsExact?: false;
        };
        /** @description A problem and how to solve it (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description The URL of the documentation of this kind of problem.
             */
            type: string;
            /** @description The kind of problem. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened and what to do. */
            detail: string;
            /**
             * @description The kind of problem, for programs.
             * @enum {string}
             */
            code: "invalid_parameter" | "operation_too_complex" | "exactly_one_identifier" | "missing_api_key" | "invalid_api_key" | "quota_exhausted" | "demo_key_refused" | "former_key_refused" | "origin_not_allowed" | "introspection_disabled" | "untrusted_document" | "not_found" | "unknown_document" | "method_not_allowed" | "request_timeout" | "too_many_rotations" | "too_many_webhooks" | "ambiguous_code" | "webhook_disabled" | "gone" | "cursor_expired" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "too_many_polls" | "too_many_subscriptions" | "too_many_exports" | "headers_too_large" | "internal_error" | "unavailable";
            /** @description The invalid parameter, if one is. */
            parameter?: string;
            /** @description The allowed values of the parameter, if they are a closed set. */
            allowed?: string[];
        };
        /** @description An entry of the price history: what a shop stated from `observedAt` on. Facts that were not recorded are absent. */
        ExportedEntry: {
            /** @description The opaque position of the entry, for `after`. */
            id: string;
            /** @description The id of the product. */
            productId: string;
            /** @description The id of the offer. */
            offerId: string;
            merchant: components["schemas"]["MerchantReference"];
            /**
             * Format: date-time
             * @description The time in the shop’s feed.
             */
            observedAt: string;
            /** @description False if the offer ended at the product; then amounts are absent. */
            listed: boolean;
            /** @description The price without shipping, including taxes. */
            price?: number;
            /** @description The lowest shipping cost in the market. */
            shipping?: number;
            /** @description Price plus shipping. */
            totalPrice?: number;
            /** @description The price without the sale price that applied. */
            regularPrice?: number;
            /** @description The currency of the amounts, ISO 4217. */
            currency: string;
            /**
             * @description Whether it can be bought.
             * @enum {string}
             */
            availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
            /**
             * @description The condition of the goods.
             * @enum {string}
             */
            condition?: "new" | "refurbished" | "used";
        };
        /** @description The last line of an export. Without it, the export is incomplete. */
        ExportEnd: {
            /** @description True if the export is complete. */
            end: boolean;
            /**
             * @description Why the export is incomplete: the monthly quota is used up.
             * @enum {string}
             */
            code?: "quota_exhausted";
            /** @description The number of lines before this one. */
            count: number;
            /** @description The cursor of the changes that follow, as in `Changes-Cursor`. */
            cursor: string;
            /** @description The id of the last line, to resume with. */
            after?: string;
        };
        /** @description Statistics over the total prices of exactly the current offers. */
        PriceStatistics: {
            /** @description The currency of the amounts, ISO 4217. */
            currency: string;
            /** @description The lowest current total price; absent without an offer. */
            min?: number;
            /** @description The highest current total price; absent without an offer. */
            max?: number;
            /** @description The lowest total price ever recorded. */
            lowestEver?: number;
            /** @description The number of current offers. */
            offerCount: number;
        };
        /**
         * @description Whether an offer can be bought now, in Google Merchant Center's terms. `backorder`: It can be ordered and ships once it is back in stock. `in_stock`: In stock: it ships now. `out_of_stock`: It cannot be bought now. `preorder`: It can be ordered before its release.
         * @enum {string}
         */
        Availability: "backorder" | "in_stock" | "out_of_stock" | "preorder";
        /**
         * @description The outcome of a lookup. `ambiguous`: The code can mean several products. `found`: A product has the identifier. `invalid`: The entry cannot be read. `not_found`: No product has the identifier.
         * @enum {string}
         */
        LookupStatus: "ambiguous" | "found" | "invalid" | "not_found";
        /**
         * @description A kind of code. `asin`: An ASIN. `digital_link`: A GS1 Digital Link. `ean8`: An EAN-8 (GTIN-8). `ean13`: An EAN-13 (GTIN-13). `element_string`: A GS1 element string. `gtin14`: A GTIN-14. `isbn10`: An ISBN-10. `isbn13`: An ISBN-13. `issn`: An ISSN. `upca`: A UPC-A (GTIN-12). `upce`: A UPC-E: a UPC-A without some of its zeros.
         * @enum {string}
         */
        CodeKind: "asin" | "digital_link" | "ean8" | "ean13" | "element_string" | "gtin14" | "isbn10" | "isbn13" | "issn" | "upca" | "upce";
        /**
         * @description How a product was found by a code. `case_of`: The code is that of a case, and the product is a unit in it. `exact`: The product has the code. `isbn10`: The product has the ISBN-13 of the ISBN-10. `padded`: The product has the code with the leading zeros that it lost. `upce`: The product has the UPC-A of the UPC-E.
         * @enum {string}
         */
        CodeMatch: "case_of" | "exact" | "isbn10" | "padded" | "upce";
        /** @description A category of Google's product taxonomy. */
        CategoryReference: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
        };
        /**
         * @description The units of unit prices. Lists by unit price group them in this order: kg, l, m, m2, m3, ct. `ct`: One piece. `kg`: One kilogram. `l`: One litre. `m`: One metre. `m2`: One square metre. `m3`: One cubic metre.
         * @enum {string}
         */
        BaseUnit: "ct" | "kg" | "l" | "m" | "m2" | "m3";
        /** @description The price of a unit of the goods. */
        UnitPrice: {
            /** @description The price of the unit, rounded. */
            amount: number;
            /** @description The unit. */
            per: components["schemas"]["BaseUnit"];
        };
        /** @description A product, with the prices of all shops. */
        Product: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The name of the brand; absent if no shop states one. */
            brand?: string;
            /** @description The most specific known category; absent if none is known. */
            category?: components["schemas"]["CategoryReference"];
            /** @description The primary identifier of each kind. */
            identifier: {
                /** @description The EAN/GTIN: 13 digits, or 14 if the first is not 0. */
                ean?: string;
                /** @description The ASIN: ten capital letters and digits. */
                asin?: string;
                /** @description The manufacturer's part number. */
                mpn?: string;
            };
            /** @description The URL of a picture. */
            image?: string;
            /** @description The URL of the product. */
            url: string;
            /** @description Price statistics of the current offers. */
            priceStats: components["schemas"]["PriceStatistics"];
            /** @description That of the cheapest offer, at the lowest total price; absent if it has none. */
            unitPrice?: components["schemas"]["UnitPrice"];
        };
        /** @description A category and its number of products. */
        CategoryCount: {
            /** @description The slug of the category. */
            slug: string;
            /** @description The name of the category. */
            name: string;
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /** @description A brand and its number of products. */
        BrandCount: {
            /** @description The slug of the brand. */
            slug: string;
            /** @description The name of the brand. */
            name: string;
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /** @description A merchant and the number of products that it offers. */
        MerchantCount: {
            /** @description The slug of the merchant. */
            slug: string;
            /** @description The name of the merchant. */
            name: string;
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /** @description An availability and the number of products with such an offer. */
        AvailabilityCount: {
            /** @description The availability. */
            value: components["schemas"]["Availability"];
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /**
         * @description The condition of the goods. `new`: Never used. `refurbished`: Restored to working order. `used`: Used before.
         * @enum {string}
         */
        Condition: "new" | "refurbished" | "used";
        /** @description A condition and the number of products with such an offer. */
        ConditionCount: {
            /** @description The condition. */
            value: components["schemas"]["Condition"];
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /** @description A range of lowest total prices. Ranges do not overlap. */
        PriceRange: {
            /** @description The lowest price in it: for `minPrice`. */
            min: number;
            /** @description The highest price in it: for `maxPrice`. */
            max: number;
            /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
            count: number;
        };
        /** @description The values of an attribute. */
        AttributeFacet: {
            /** @description The name, such as `color`. */
            name: string;
            /** @description The values, at most 100. */
            values: {
                /** @description The value, as products have it. */
                value: string;
                /** @description The number of products that this value selects together with the rest of the filter, at most 10000. */
                count: number;
            }[];
        };
        /** @description A reduction that a shop announces, compared with the prior price (Directive 98/6/EC, Article 6a). All prices are of the goods, without shipping. */
        Reduction: {
            /**
             * Format: date-time
             * @description The start of the latest reduction, which is the latest decrease of the price; an increase starts a new series.
             */
            since: string;
            /** @description The price that the shop states beside the reduced one. */
            regularPrice: number;
            /** @description The lowest price in the 30 days before `since`; absent if fewer than 30 days are known. */
            priorPrice?: number;
            /** @description The lowest price in the 30 days before the first reduction of the series; absent if fewer than 30 days are known. */
            priorPriceProgressive?: number;
            /** @description How far the price is below `priorPriceProgressive`, in percent; negative if it is above. Null without a prior price. */
            percent?: number;
        };
        /** @description The current price and availability of a product at one merchant. */
        Offer: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The shop. */
            merchant: {
                /** @description The opaque id, the same over REST. */
                id: string;
                /** @description The name used in URLs. It never changes. */
                slug: string;
                /** @description The name to show. */
                name: string;
            };
            /** @description The price without shipping, including taxes. */
            price: number;
            /** @description The lowest shipping cost in the market; absent if the shop does not state it. */
            shipping?: number;
            /** @description Whether the shop states the shipping. If not, it may add any amount to `totalPrice`. */
            shippingKnown: boolean;
            /** @description Price plus shipping, if the shop states it. */
            totalPrice: number;
            /** @description What a unit of the goods costs at the total price; absent if the amount of the goods is not known, or if the price rounds to 0. */
            unitPrice?: components["schemas"]["UnitPrice"];
            /** @description The currency of the amounts, ISO 4217. */
            currency: string;
            /** @description Whether it can be bought now. */
            availability: components["schemas"]["Availability"];
            /** @description The condition of the goods. */
            condition: components["schemas"]["Condition"];
            /** @description The path on this server that redirects to the offer in the shop. */
            url: string;
            /**
             * Format: date-time
             * @description The time of the last observed change of the offer.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The time of the last feed that listed the offer, changed or not.
             */
            seenAt: string;
            /** @description The reduction that the shop announces for this offer; absent if it announces none. */
            reduction?: components["schemas"]["Reduction"];
        };
        /** @description A product of which shops say that it is a variant of another one, such as another size or colour. */
        Variant: {
            /** @description The opaque id of the product. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The primary identifier of each kind. */
            identifier: {
                /** @description The EAN/GTIN: 13 digits, or 14 if the first is not 0. */
                ean?: string;
                /** @description The ASIN: ten capital letters and digits. */
                asin?: string;
                /** @description The manufacturer's part number. */
                mpn?: string;
            };
            /** @description The URL of a picture. */
            image?: string;
            /** @description The URL of the product. */
            url: string;
            /** @description Price statistics of the current offers. */
            priceStats: components["schemas"]["PriceStatistics"];
            /** @description The best availability of its current offers: in stock, then preorder, then backorder; absent without an offer. */
            availability?: components["schemas"]["Availability"];
            /** @description Its attributes that are not the same for the product and all its variants, such as colour and size; empty if none differs. */
            differs: {
                /** @description The name as in feeds, such as `color`. */
                name: string;
                /** @description The value, as the shop states it. */
                value: string;
            }[];
        };
        /**
         * @description The length of the interval that a point covers. `day`: A day in UTC. `month`: A calendar month. `week`: A week from Monday on.
         * @enum {string}
         */
        HistoryInterval: "day" | "month" | "week";
        /** @description The total prices during a day, week or month. */
        PricePoint: {
            /**
             * Format: date
             * @description The first day of the interval.
             */
            date: string;
            /** @description The lowest price during the interval. */
            min: number;
            /** @description The highest price during the interval. */
            max: number;
            /** @description The average of all prices, weighted by time. */
            avg: number;
            /** @description The number of offers with a price during the interval. */
            offerCount: number;
            /** @description The share of the time of the interval in which at least one offer was in stock, 0 to 1, whatever the filter on availability. Time before the first price, and time without a recorded availability, does not count; absent if no time counts. */
            inStock?: number;
            /** @description The lowest price of an offer in stock; absent if none was, or if it was not recorded. */
            minInStock?: number;
        };
        /** @description The lowest or the highest price of a time span. */
        PriceExtreme: {
            /** @description The total price. */
            price: number;
            /**
             * Format: date
             * @description The first day with this price in the time span.
             */
            firstDay: string;
            /**
             * Format: date
             * @description The last day with this price in the time span.
             */
            lastDay: string;
            /** @description The slugs of the shops that had this price, at most 20, in the order in which they first had it. */
            merchants: string[];
        };
        /** @description The lowest matching total price over the last days, or over all time. */
        PriceWindow: {
            /** @description The length in days: 30, 90 or 365; absent for all time. */
            days?: number;
            /** @description The minimum; absent if no offer had a price. */
            min?: number;
            /** @description The maximum; absent if no offer had a price. */
            max?: number;
            /** @description The average, weighted by time; absent if no offer had a price. */
            avg?: number;
            /** @description The lower median, weighted by time; absent if no offer had a price. */
            median?: number;
            /** @description The share of time since the first observation without a matching offer in stock, in percent; absent if no availability was recorded. */
            outOfStockPercent?: number;
        };
        /** @description A brand, spelled as the shops spell it. */
        BrandReference: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
        };
        /** @description A shop whose offers are compared. */
        MerchantReference: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
        };
        /** @description A price index at the end of a day, week or month. */
        PriceIndexPoint: {
            /**
             * Format: date
             * @description The first day of the interval.
             */
            date: string;
            /** @description The index at the end of the last day of the interval, or of the requested days: 100 at the end of the first requested day, or of the day before offers are first compared. */
            index: number;
            /** @description The number of products with an offer that is compared on that day. */
            productCount: number;
            /** @description The number of offers that are compared on that day: those that were also listed the day before. */
            offerCount: number;
        };
        /** @description How a merchant stands among the others in a category or brand, now. Only new offers count, without prices that are probably typing errors. Prices are compared with shipping, among offers in stock. */
        MerchantStanding: {
            /** @description The merchant. */
            merchant: components["schemas"]["MerchantReference"];
            /** @description The number of products that the merchant lists as new. */
            productCount: number;
            /** @description The share of these products at which no other merchant has a lower price in stock. Equal prices count for each merchant, and a product that only this merchant has in stock counts too. */
            cheapestPercent: number;
            /** @description The share of these products that this merchant has in stock and no other merchant has. */
            soleSellerPercent: number;
            /** @description The median distance of its price from the lowest price, over its products in stock, in percent of the lowest price; absent if none is in stock. Rounded down to 0.1 below 20 %, to 1 below 100 %, to 10 above. */
            medianDistancePercent?: number;
            /** @description The share of these products of which none of its offers is in stock. */
            outOfStockPercent: number;
        };
        /** @description A product whose lowest price in stock is lower than before, among all shops or at one. */
        Deal: {
            /** @description The product. */
            product: components["schemas"]["Product"];
            /** @description The offer with the price. */
            offer: components["schemas"]["Offer"];
            /** @description The lowest total price in stock. */
            price: number;
            /** @description The lowest such price in the 30 days before `since`. */
            previous: number;
            /** @description The fall from `previous` in percent. */
            percent: number;
            /**
             * Format: date-time
             * @description The time at which the price began.
             */
            since: string;
        };
        /**
         * @description What a change concerns. One change may have several types. `availability`: The availability of an offer. `offer`: Anything else of an offer: its condition, its link, its product. `offer_created`: An offer is new, or listed again. `offer_withdrawn`: An offer is not listed any more. `price`: The price or the shipping cost of an offer. `product`: A product is new, or its own fields changed.
         * @enum {string}
         */
        ChangeType: "availability" | "offer" | "offer_created" | "offer_withdrawn" | "price" | "product";
        /** @description An offer at one moment: before or after a change, or in an export. */
        OfferState: {
            /** @description The opaque id of the offer. */
            id: string;
            /** @description The id of the product that is offered. */
            productId: string;
            /** @description The shop. */
            merchant: components["schemas"]["MerchantReference"];
            /** @description The price without shipping, including taxes. */
            price: number;
            /** @description The lowest shipping cost in the market; absent if the shop does not state it. */
            shipping?: number;
            /** @description Whether the shop states the shipping. */
            shippingKnown: boolean;
            /** @description Price plus shipping, if the shop states it. */
            totalPrice: number;
            /** @description The currency of the amounts, ISO 4217. */
            currency: string;
            /** @description Whether it could be bought then. */
            availability: components["schemas"]["Availability"];
            /** @description The condition of the goods. */
            condition: components["schemas"]["Condition"];
            /** @description The path on this server that redirects to the offer in the shop. */
            url: string;
            /**
             * Format: date-time
             * @description The time of the last observed change of the offer.
             */
            updatedAt: string;
        };
        /** @description A product at one moment: before or after a change, or in an export. Prices belong to its offers. */
        ProductState: {
            /** @description The opaque id of the product. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The name of the brand; absent if no shop states one. */
            brand?: string;
            /** @description The most specific known category; absent if none is known. */
            category?: {
                /** @description The opaque id of the category. */
                id: string;
                /** @description The name used in URLs. */
                slug: string;
                /** @description The name to show. */
                name: string;
            };
            /** @description The primary identifier of each kind. */
            identifier: {
                /** @description The EAN/GTIN: 13 digits, or 14 if the first is not 0. */
                ean?: string;
                /** @description The ASIN: ten capital letters and digits. */
                asin?: string;
                /** @description The manufacturer's part number. */
                mpn?: string;
            };
            /** @description All EAN/GTINs and ASINs. */
            identifiers: {
                /** @description All EAN/GTINs. */
                ean: string[];
                /** @description All ASINs. */
                asin: string[];
            };
            /** @description The description in plain text. */
            description?: string;
            /** @description Distinguishing properties such as colour and size; absent if no shop states any. */
            attributes?: {
                /** @description The name as in feeds, such as `color`. */
                name: string;
                /** @description The value, as the shop states it. */
                value: string;
            }[];
            /** @description The URL of a picture. */
            image?: string;
            /** @description The URL of the product. */
            url: string;
            /**
             * Format: date-time
             * @description The time of first observation.
             */
            createdAt: string;
        };
        /** @description A change of an offer or of a product by one import. */
        Change: {
            /** @description The number of the change, a whole number. Numbers rise in the order of commits, with gaps. */
            seq: number;
            /**
             * Format: date-time
             * @description The time of the commit.
             */
            at: string;
            /**
             * Format: date-time
             * @description The time in the shop's feed.
             */
            observedAt: string;
            /** @description What changed. */
            types: components["schemas"]["ChangeType"][];
            /** @description The id of the product; of an offer that moved, of the one that it moved to. */
            productId: string;
            /** @description The id of the offer; absent for a product. */
            offerId?: string;
            /** @description The offer or the product before the change; absent if it was not listed. */
            before: components["schemas"]["OfferState"] | components["schemas"]["ProductState"] | null;
            /** @description The offer or the product after the change; absent if it is not listed any more. */
            after: components["schemas"]["OfferState"] | components["schemas"]["ProductState"] | null;
        };
        /** @description A category of Google's product taxonomy. */
        CategoryNode: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The number of products in this category and its subcategories. */
            productCount: number;
            /** @description The direct subcategories, by name. */
            children: components["schemas"]["CategoryNode"][];
        };
        /** @description A brand, spelled as the shops spell it. */
        Brand: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The number of products of the brand. */
            productCount: number;
        };
        /** @description A shop whose offers are compared. */
        Merchant: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The number of current offers of the shop. */
            offerCount: number;
            /** @description The URL of the shop's website. */
            url?: string;
            /**
             * Format: date-time
             * @description The observation time of the shop's newest feed.
             */
            observedAt?: string;
        };
        /**
         * @description The kind of a suggestion. `brand`: A brand: leads to the list of its products. `category`: A category: leads to the list of its products. `product`: A product.
         * @enum {string}
         */
        SuggestionType: "brand" | "category" | "product";
        /** @description A typeahead suggestion. */
        Suggestion: {
            /** @description Its kind. */
            type: components["schemas"]["SuggestionType"];
            /** @description The opaque id of the product, brand or category. */
            id: string;
            /** @description The name in addresses. */
            slug: string;
            /** @description The name to show. */
            name: string;
            /** @description The URL of the page of a product, or of the product list of a brand or category. */
            url: string;
        };
        /** @description A buying guide. */
        Article: {
            /** @description The opaque id, the same over REST. */
            id: string;
            /** @description The name used in URLs. It never changes. */
            slug: string;
            /** @description The title. */
            title: string;
            /** @description A summary in one or two sentences. */
            summary: string;
            /** @description The text in Markdown. */
            body: string;
            /** @description The category of the article; absent if it has none. */
            category?: components["schemas"]["CategoryReference"];
            /** @description The slugs of the products that the article mentions, in its order. */
            products: string[];
            /**
             * Format: date-time
             * @description When it was published.
             */
            publishedAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description The URL of the article. */
            url: string;
        };
        /**
         * @description The plans that keys are issued for. `enterprise`: Enterprise: Unlimited requests, with SLA and support; price on request. `free`: Free: To try the service: 100 requests a month. `pro`: Pro: For comparison sites, apps and repricers: 100,000 requests a month. `starter`: Starter: For small sites and tools: 10,000 requests a month.
         * @enum {string}
         */
        PlanId: "enterprise" | "free" | "pro" | "starter";
        /**
         * @description The kinds of messages that webhooks receive. `back_in_stock`: An offer is in stock that was not. `low_equalled`: The lowest total price of a product fell to the lowest that it ever was. `new_low`: The lowest total price of a product is lower than ever before. `offer_withdrawn`: A shop no longer offers a product. `price_below`: The lowest total price of a product fell to `below` or less, from a higher price or from none. `price_changed`: The lowest total price of a product rose or fell, by at least `minPercent` if that is set. `product_found`: A GTIN or ASIN in `codes` that no product had is now known.
         * @enum {string}
         */
        WebhookKind: "back_in_stock" | "low_equalled" | "new_low" | "offer_withdrawn" | "price_below" | "price_changed" | "product_found";
        /** @description The conditions of a webhook. */
        WebhookFilter: {
            /** @description The slug of the product; absent for all. */
            product?: string;
            /** @description The slug of the category, with all below it; absent for all. */
            category?: string;
            /** @description The slug of the brand; absent for all. */
            brand?: string;
            /** @description The slug of the shop; absent for all. */
            merchant?: string;
            /** @description The smallest change of the lowest price in percent; absent for any. */
            minPercent?: number;
            /** @description The price to reach; absent without `price_below`. */
            below?: number;
            /** @description The GTINs and ASINs to wait for; absent without `product_found`. */
            codes?: string[];
        };
        /** @description A URL of the client that receives messages about changes. */
        Webhook: {
            /** @description The opaque id. */
            id: string;
            /** @description The URL that receives messages, by POST. */
            url: string;
            /** @description The kinds of messages. */
            kinds: components["schemas"]["WebhookKind"][];
            /** @description The changes that cause messages. */
            filter: components["schemas"]["WebhookFilter"];
            /** @description Whether messages are sent. */
            enabled: boolean;
            /** @description Whether the receiver has confirmed its address; nothing else is sent before. */
            confirmed: boolean;
            /**
             * Format: date-time
             * @description The time since which nothing is sent; absent if enabled.
             */
            disabledAt?: string;
            /** @description Why nothing is sent, and what to do; absent if enabled. */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description The time of the first failure since the last success; absent if the last attempt succeeded.
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description The time of its creation.
             */
            createdAt: string;
        };
        /**
         * @description The state of a delivery. `delivered`: The receiver accepted the message. `given_up`: All attempts failed; a replay sends it again. `waiting`: An attempt is under way or will follow.
         * @enum {string}
         */
        WebhookDeliveryState: "delivered" | "given_up" | "waiting";
        /** @description A message to a webhook, with the result of its last attempt. */
        WebhookDelivery: {
            /** @description The opaque id, for replays. */
            id: string;
            /** @description The `webhook-id` header: the same in every attempt and replay. */
            messageId: string;
            /** @description The kind of the message. */
            kind: components["schemas"]["WebhookKind"];
            /** @description The id of the product; absent for a test. */
            productId?: string;
            /** @description The state. */
            state: components["schemas"]["WebhookDeliveryState"];
            /** @description The attempts since its creation or its last replay. */
            attempts: number;
            /** @description The status of the last response; absent if there was none. */
            lastStatus?: number;
            /** @description Why the last attempt failed; absent if none has failed or the last one succeeded. */
            lastError?: string;
            /**
             * Format: date-time
             * @description The time of the next attempt; absent if none will follow.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description The time of its creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last attempt; absent if there was none.
             */
            lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description The time of the successful attempt; absent if there was none.
             */
            deliveredAt?: string;
        };
        /** @description The quota and price of a plan. */
        Plan: {
            /** @description The id of the plan. */
            id: components["schemas"]["PlanId"];
            /** @description The name to show. */
            name: string;
            /** @description Requests in a calendar month (UTC); 0 is unlimited. */
            monthlyQuota: number;
            /** @description The price per month in EUR; null means on request. */
            priceEur: number | null;
            /** @description What the plan is for. */
            description: string;
        };
    };
    responses: {
        /** @description A parameter is malformed, out of range, repeated, or not one of its allowed values. */
        InvalidParameter: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The monthly quota is used up: wait for the next month, or move to a higher plan. */
        QuotaExhausted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The public demo key only reads the catalogue, and a key that a rotation has replaced changes nothing. */
        NotWithThisKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The product or webhook does not exist. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path does not support this method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The plan allows no more webhooks, or the webhook is disabled. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The changes after the cursor are no longer kept: export the catalogue again. */
        CursorExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The URL is longer than 8192 characters. */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The requests of this minute are used up. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON, or compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The requests of this minute are used up, or the key has too many open exports. */
        RateLimitedOrExporting: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The requests of this minute are used up, or too many requests of the key wait for changes. */
        RateLimitedOrWaiting: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The headers are larger than 32 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server failed; the request is not charged. The operator’s log has details under the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The database is unavailable or the server is overloaded; the request is not charged. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Plan": components["headers"]["X-Plan"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
        WebhookId: string;
        /** @description The time of the attempt, in seconds since 1970. */
        WebhookTimestamp: string;
        /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
        WebhookSignature: string;
        /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request: the client’s own if it sent a valid one.
         * @example 3f6c1b0e-5a
         */
        "X-Request-Id": string;
        /**
         * @description The version of the response, for `If-None-Match`.
         * @example W/"Yk0d6p3xJ8"
         */
        ETag: string;
        /**
         * @description How long the response may be cached.
         * @example private, max-age=30
         */
        "Cache-Control": string;
        /**
         * @description The request headers that the response depends on.
         * @example x-api-key, Accept, Accept-Encoding
         */
        Vary: string;
        /**
         * @description Related resources (RFC 8288).
         * @example </api/v1/products/markina-glow-line-highlighter-yellow>; rel="item"
         */
        Link: string;
        /**
         * @description With `text/csv`: the number of items in the list, if it is known exactly. JSON has it in `page`.
         * @example 331
         */
        "X-Total-Count": number;
        /**
         * @description The cursor of the changes that follow the export: apply them, and the copy is exact.
         * @example Zjg0YjE5OGFbIjQyIl0
         */
        "Changes-Cursor": string;
        /**
         * @description The plan of the key.
         * @example pro
         */
        "X-Plan": "free" | "starter" | "pro" | "enterprise";
        /**
         * @description Requests per calendar month (UTC); 0 means unlimited.
         * @example 100000
         */
        "X-Quota-Limit": number;
        /**
         * @description Requests left this month after this one; 9007199254740991 if unlimited.
         * @example 99958
         */
        "X-Quota-Remaining": number;
        /**
         * @description Requests per minute (IETF draft, structured fields).
         * @example "minute";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The requests left in this minute, and the seconds until it ends.
         * @example "minute";r=599;t=42
         */
        RateLimit: string;
        /**
         * @description Seconds to wait before a retry.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description The path of what was created.
         * @example /api/v1/webhooks/whk_1
         */
        Location: string;
        /**
         * @description How to authenticate.
         * @example ApiKey
         */
        "WWW-Authenticate": string;
        /**
         * @description The allowed methods.
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getServiceIndex: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Service index */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Product Data API",
                     *       "version": "v1",
                     *       "docs": "https://api.example.com/docs",
                     *       "auth": "Send your API key in the `x-api-key` header.",
                     *       "endpoints": [
                     *         "GET /api/v1",
                     *         "GET /api/v1/lookup",
                     *         "POST /api/v1/lookups",
                     *         "GET /api/v1/resolve",
                     *         "GET /api/v1/products",
                     *         "GET /api/v1/facets",
                     *         "GET /api/v1/products/{slug}",
                     *         "GET /api/v1/products/{id}/offers",
                     *         "GET /api/v1/products/{id}/price-history",
                     *         "GET /api/v1/products/{id}/price-stats",
                     *         "GET /api/v1/price-index",
                     *         "GET /api/v1/merchant-comparison",
                     *         "GET /api/v1/deals",
                     *         "GET /api/v1/changes",
                     *         "GET /api/v1/categories",
                     *         "GET /api/v1/brands",
                     *         "GET /api/v1/merchants",
                     *         "GET /api/v1/search",
                     *         "GET /api/v1/articles",
                     *         "GET /api/v1/usage",
                     *         "POST /api/v1/key/rotate",
                     *         "GET /api/v1/webhooks",
                     *         "POST /api/v1/webhooks",
                     *         "GET /api/v1/webhooks/{id}",
                     *         "PATCH /api/v1/webhooks/{id}",
                     *         "DELETE /api/v1/webhooks/{id}",
                     *         "GET /api/v1/webhooks/{id}/deliveries",
                     *         "POST /api/v1/webhooks/{id}/test",
                     *         "POST /api/v1/webhooks/{id}/replay",
                     *         "GET /api/v1/plans",
                     *         "GET /api/v1/openapi.json",
                     *         "GET /llms.txt",
                     *         "GET /api/v1/exports/products",
                     *         "GET /api/v1/exports/offers",
                     *         "GET /api/v1/exports/history",
                     *         "POST /mcp"
                     *       ],
                     *       "plans": [
                     *         {
                     *           "id": "free",
                     *           "name": "Free",
                     *           "monthlyQuota": 100,
                     *           "priceEur": 0,
                     *           "description": "To try the service: 100 requests a month."
                     *         },
                     *         {
                     *           "id": "starter",
                     *           "name": "Starter",
                     *           "monthlyQuota": 10000,
                     *           "priceEur": 29,
                     *           "description": "For small sites and tools: 10,000 requests a month."
                     *         },
                     *         {
                     *           "id": "pro",
                     *           "name": "Pro",
                     *           "monthlyQuota": 100000,
                     *           "priceEur": 99,
                     *           "description": "For comparison sites, apps and repricers: 100,000 requests a month."
                     *         },
                     *         {
                     *           "id": "enterprise",
                     *           "name": "Enterprise",
                     *           "monthlyQuota": 0,
                     *           "priceEur": null,
                     *           "description": "Unlimited requests, with SLA and support; price on request."
                     *         }
                     *       ],
                     *       "openapi": "https://api.example.com/api/v1/openapi.json"
                     *     }
                     */
                    "application/json": {
                        /** @description The name of the service. */
                        name: string;
                        /** @description The version of the API. */
                        version: string;
                        /** @description The URL of the documentation. */
                        docs: string;
                        /** @description How to authenticate. */
                        auth: string;
                        /** @description The endpoints, as method and path. */
                        endpoints: string[];
                        /** @description The plans. */
                        plans: components["schemas"]["Plan"][];
                        /** @description The URL of the OpenAPI description. */
                        openapi: string;
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUp: {
        parameters: {
            query?: {
                /**
                 * @description EAN/GTIN, 13 or 14 digits. A GTIN-14 with a leading 0 equals its GTIN-13.
                 * @example 4006381333931
                 */
                ean?: string;
                /**
                 * @description ASIN, 10 letters and digits in upper or lower case.
                 * @example B0DEMO0001
                 */
                asin?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Look up a product by EAN/GTIN or ASIN */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "identifier": {
                     *           "ean": "4006381333931",
                     *           "asin": "B0DEMO0001",
                     *           "mpn": "MK-1000"
                     *         },
                     *         "product": {
                     *           "name": "Markina Glow Line Highlighter Yellow",
                     *           "brand": "Markina",
                     *           "url": "https://api.example.com/products/markina-glow-line-highlighter-yellow"
                     *         },
                     *         "priceStats": {
                     *           "currency": "EUR",
                     *           "min": 1.49,
                     *           "max": 7.09,
                     *           "lowestEver": 1.39,
                     *           "offerCount": 8
                     *         },
                     *         "offers": [
                     *           {
                     *             "merchant": "TechTonne",
                     *             "totalPrice": 1.49,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_d1"
                     *           },
                     *           {
                     *             "merchant": "Bücherwurm & Bleistift",
                     *             "totalPrice": 3.99,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_mu"
                     *           },
                     *           {
                     *             "merchant": "Preisperle",
                     *             "totalPrice": 4.38,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_ie"
                     *           },
                     *           {
                     *             "merchant": "Nordlicht Versand",
                     *             "totalPrice": 5.44,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_4w"
                     *           },
                     *           {
                     *             "merchant": "Haus & Herd",
                     *             "totalPrice": 5.99,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_g7"
                     *           },
                     *           {
                     *             "merchant": "Магазин Берлин",
                     *             "totalPrice": 6.29,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_o7"
                     *           },
                     *           {
                     *             "merchant": "Kaufrausch24",
                     *             "totalPrice": 6.39,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_1"
                     *           },
                     *           {
                     *             "merchant": "Bon Marché Direct",
                     *             "totalPrice": 7.09,
                     *             "availability": "in_stock",
                     *             "url": "/go/off_9x"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The requested identifier, and the primary identifiers of the other kinds. */
                            identifier: {
                                /** @description The EAN/GTIN: 13 digits, or 14 if the first is not 0. */
                                ean?: string;
                                /** @description The ASIN: ten capital letters and digits. */
                                asin?: string;
                                /** @description The manufacturer's part number. */
                                mpn?: string;
                            };
                            /** @description The product. */
                            product: {
                                /** @description The name to show. */
                                name: string;
                                /** @description The name of the brand; absent if no shop states one. */
                                brand?: string;
                                /** @description The URL of the product. */
                                url: string;
                            };
                            /** @description Price statistics of the current offers. */
                            priceStats: components["schemas"]["PriceStatistics"];
                            /** @description The current offers, cheapest first, then by shop name. */
                            offers: {
                                /** @description The name of the shop. */
                                merchant: string;
                                /** @description Price plus shipping, if the shop states it. */
                                totalPrice: number;
                                /** @description Whether it can be bought now. */
                                availability: components["schemas"]["Availability"];
                                /** @description The path on this server that redirects to the offer in the shop. */
                                url: string;
                            }[];
                        };
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUpMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifiers": [
                 *         {
                 *           "ean": "4006381333931"
                 *         },
                 *         {
                 *           "code": "(01)04006381333932"
                 *         },
                 *         {
                 *           "asin": "short"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The lookups, 1 to 100. Results keep their order. */
                    identifiers: {
                        /** @description EAN/GTIN, 13 or 14 digits. */
                        ean?: string;
                        /** @description ASIN, 10 letters and digits in upper or lower case. */
                        asin?: string;
                        /** @description Any code: EAN-8, UPC-A, UPC-E, ISBN, ISSN, an element string such as `(01)…`, a GS1 Digital Link. */
                        code?: string;
                    }[];
                    /**
                     * @description The most offers of each product, cheapest first. If there are more than 10000 together, each product has the cheapest that fit.
                     * @example 5
                     */
                    offers?: number;
                };
            };
        };
        responses: {
            /** @description Look up to 100 products at once */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "input": {
                     *             "ean": "4006381333931"
                     *           },
                     *           "status": "found",
                     *           "result": {
                     *             "identifier": {
                     *               "ean": "4006381333931",
                     *               "asin": "B0DEMO0001",
                     *               "mpn": "MK-1000"
                     *             },
                     *             "product": {
                     *               "name": "Markina Glow Line Highlighter Yellow",
                     *               "brand": "Markina",
                     *               "url": "https://api.example.com/products/markina-glow-line-highlighter-yellow"
                     *             },
                     *             "priceStats": {
                     *               "currency": "EUR",
                     *               "min": 1.49,
                     *               "max": 7.09,
                     *               "lowestEver": 1.39,
                     *               "offerCount": 8
                     *             },
                     *             "offers": [
                     *               {
                     *                 "merchant": "TechTonne",
                     *                 "totalPrice": 1.49,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_d1"
                     *               },
                     *               {
                     *                 "merchant": "Bücherwurm & Bleistift",
                     *                 "totalPrice": 3.99,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_mu"
                     *               },
                     *               {
                     *                 "merchant": "Preisperle",
                     *                 "totalPrice": 4.38,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_ie"
                     *               },
                     *               {
                     *                 "merchant": "Nordlicht Versand",
                     *                 "totalPrice": 5.44,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_4w"
                     *               },
                     *               {
                     *                 "merchant": "Haus & Herd",
                     *                 "totalPrice": 5.99,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_g7"
                     *               },
                     *               {
                     *                 "merchant": "Магазин Берлин",
                     *                 "totalPrice": 6.29,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_o7"
                     *               },
                     *               {
                     *                 "merchant": "Kaufrausch24",
                     *                 "totalPrice": 6.39,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_1"
                     *               },
                     *               {
                     *                 "merchant": "Bon Marché Direct",
                     *                 "totalPrice": 7.09,
                     *                 "availability": "in_stock",
                     *                 "url": "/go/off_9x"
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "input": {
                     *             "code": "(01)04006381333932"
                     *           },
                     *           "status": "not_found",
                     *           "problem": {
                     *             "type": "https://api.example.com/docs/errors#not_found",
                     *             "title": "Not found",
                     *             "status": 404,
                     *             "detail": "04006381333932 ends in the check digit 2, the right one would be 1: read the code again.",
                     *             "code": "not_found"
                     *           }
                     *         },
                     *         {
                     *           "input": {
                     *             "asin": "short"
                     *           },
                     *           "status": "invalid",
                     *           "problem": {
                     *             "type": "https://api.example.com/docs/errors#invalid_parameter",
                     *             "title": "Invalid parameter",
                     *             "status": 400,
                     *             "detail": "`asin` must have 10 characters, letters A to Z and digits, such as B0DEMO0001.",
                     *             "code": "invalid_parameter",
                     *             "parameter": "asin"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The entry as it was sent. */
                            input: {
                                /** @description The EAN/GTIN. */
                                ean?: string;
                                /** @description The ASIN. */
                                asin?: string;
                                /** @description The code. */
                                code?: string;
                            };
                            /** @description The outcome. */
                            status: components["schemas"]["LookupStatus"];
                            /** @description Why the entry has no result; absent if it has one. */
                            problem?: {
                                /** @description The URL of the documentation of this kind of problem. */
                                type: string;
                                /** @description The kind of problem. */
                                title: string;
                                /** @description The HTTP status of the same problem of a single lookup. */
                                status: number;
                                /** @description What happened and what to do. */
                                detail: string;
                                /** @description The kind of problem, for programs. */
                                code: string;
                                /** @description The invalid member, if one is. */
                                parameter?: string;
                            };
                            /** @description The product with its offers, as `lookup` returns it. */
                            result?: {
                                /** @description The requested identifier, and the primary identifiers of the other kinds. */
                                identifier: {
                                    /** @description The EAN/GTIN: 13 digits, or 14 if the first is not 0. */
                                    ean?: string;
                                    /** @description The ASIN: ten capital letters and digits. */
                                    asin?: string;
                                    /** @description The manufacturer's part number. */
                                    mpn?: string;
                                };
                                /** @description The product. */
                                product: {
                                    /** @description The name to show. */
                                    name: string;
                                    /** @description The name of the brand; absent if no shop states one. */
                                    brand?: string;
                                    /** @description The URL of the product. */
                                    url: string;
                                };
                                /** @description Price statistics of the current offers. */
                                priceStats: components["schemas"]["PriceStatistics"];
                                /** @description The current offers, cheapest first, then by shop name. */
                                offers: {
                                    /** @description The name of the shop. */
                                    merchant: string;
                                    /** @description Price plus shipping, if the shop states it. */
                                    totalPrice: number;
                                    /** @description Whether it can be bought now. */
                                    availability: components["schemas"]["Availability"];
                                    /** @description The path on this server that redirects to the offer in the shop. */
                                    url: string;
                                }[];
                            };
                        }[];
                    };
                    /**
                     * @example input.ean,input.asin,input.code,status,problem.type,problem.title,problem.status,problem.detail,problem.code,problem.parameter,result.identifier.ean,result.identifier.asin,result.identifier.mpn,result.product.name,result.product.brand,result.product.url,result.priceStats.currency,result.priceStats.min,result.priceStats.max,result.priceStats.lowestEver,result.priceStats.offerCount
                     *     4006381333931,,,found,,,,,,,4006381333931,B0DEMO0001,MK-1000,Markina Glow Line Highlighter Yellow,Markina,https://api.example.com/products/markina-glow-line-highlighter-yellow,EUR,1.49,7.09,1.39,8
                     *     ,,(01)04006381333932,not_found,https://api.example.com/docs/errors#not_found,Not found,404,"04006381333932 ends in the check digit 2, the right one would be 1: read the code again.",not_found,,,,,,,,,,,,
                     *     ,short,,invalid,https://api.example.com/docs/errors#invalid_parameter,Invalid parameter,400,"`asin` must have 10 characters, letters A to Z and digits, such as B0DEMO0001.",invalid_parameter,asin,,,,,,,,,,,
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveCode: {
        parameters: {
            query: {
                /**
                 * @description The code, as it was scanned, printed or typed.
                 * @example 4006381333931
                 */
                code: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Find the products that any code may mean */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "input": "(01)04006381333931",
                     *         "readings": [
                     *           {
                     *             "kind": "element_string",
                     *             "normalized": "04006381333931"
                     *           }
                     *         ],
                     *         "candidates": [
                     *           {
                     *             "match": "exact",
                     *             "product": {
                     *               "id": "prd_1",
                     *               "slug": "markina-glow-line-highlighter-yellow",
                     *               "name": "Markina Glow Line Highlighter Yellow",
                     *               "brand": "Markina",
                     *               "category": {
                     *                 "id": "cat_23",
                     *                 "slug": "highlighters",
                     *                 "name": "Highlighters"
                     *               },
                     *               "identifier": {
                     *                 "ean": "4006381333931",
                     *                 "asin": "B0DEMO0001",
                     *                 "mpn": "MK-1000"
                     *               },
                     *               "image": "https://images.example/4006381333931.jpg",
                     *               "url": "https://api.example.com/products/markina-glow-line-highlighter-yellow",
                     *               "priceStats": {
                     *                 "currency": "EUR",
                     *                 "min": 1.49,
                     *                 "max": 7.09,
                     *                 "lowestEver": 1.39,
                     *                 "offerCount": 8
                     *               }
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The code as it was sent. */
                            input: string;
                            /** @description The ways to read the code; several if it is ambiguous, none if its check digit is wrong. */
                            readings: {
                                /** @description The kind of code. */
                                kind: components["schemas"]["CodeKind"];
                                /** @description The GTIN with 14 digits; an ASIN in upper case. */
                                normalized: string;
                            }[];
                            /** @description The products that have one of the readings, then the units in cases that have it. */
                            candidates: {
                                /** @description How the product was found. */
                                match: components["schemas"]["CodeMatch"];
                                /** @description The product. */
                                product: components["schemas"]["Product"];
                            }[];
                            /** @description The number that was probably meant, if the check digit is wrong. */
                            suggestion?: {
                                /** @description The GTIN with 14 digits. */
                                normalized: string;
                                /** @description What is wrong with the code, and what to do. */
                                detail: string;
                            };
                        };
                    };
                    /**
                     * @example match,product.id,product.slug,product.name,product.brand,product.category.id,product.category.slug,product.category.name,product.identifier.ean,product.identifier.asin,product.identifier.mpn,product.image,product.url,product.priceStats.currency,product.priceStats.min,product.priceStats.max,product.priceStats.lowestEver,product.priceStats.offerCount,product.unitPrice.amount,product.unitPrice.per,input
                     *     exact,prd_1,markina-glow-line-highlighter-yellow,Markina Glow Line Highlighter Yellow,Markina,cat_23,highlighters,Highlighters,4006381333931,B0DEMO0001,MK-1000,https://images.example/4006381333931.jpg,https://api.example.com/products/markina-glow-line-highlighter-yellow,EUR,1.49,7.09,1.39,8,,,(01)04006381333931
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description Words from the name, brand or category, in any order, or a GTIN, ASIN or MPN. Accents are ignored. Prefixes match too, and then other readings: quantities, words joined or split, singular for plural, synonyms. Each word of four letters or more may contain one typing error.
                 * @example headphones
                 */
                q?: string;
                /**
                 * @description Slug or id of a category, including its subcategories. Several, at most 20, are separated by commas: one must match.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand. Several, at most 20, are separated by commas: one must match.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of a merchant with a current offer. Several, at most 20, are separated by commas: one must match.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The minimum of the lowest total price.
                 * @example 10
                 */
                minPrice?: number;
                /**
                 * @description The maximum of the lowest total price.
                 * @example 99.99
                 */
                maxPrice?: number;
                /**
                 * @description At least one offer has this availability; with `merchant`, that merchant’s offer. Several are separated by commas: one must match.
                 * @example in_stock
                 */
                availability?: string;
                /**
                 * @description At least one offer is of goods in this condition; with `merchant` or `availability`, the same offer. Several are separated by commas: one must match.
                 * @example new
                 */
                condition?: string;
                /**
                 * @description `true`: at least one offer is in stock; with `merchant` or `condition`, the same offer. `false` does not restrict the list.
                 * @example true
                 */
                inStock?: boolean;
                /**
                 * @description The minimum discount of the lowest total price from its 90-day average, in percent.
                 * @example 10
                 */
                minDiscount?: number;
                /**
                 * @description The attribute `color`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`.
                 * @example Black
                 */
                "attr.color"?: string;
                /**
                 * @description The attribute `size`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`.
                 * @example M
                 */
                "attr.size"?: string;
                /** @description The attribute `material`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`. */
                "attr.material"?: string;
                /** @description The attribute `pattern`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`. */
                "attr.pattern"?: string;
                /**
                 * @description The order: by default `relevance` with `q`, `popularity` without. `discount` sorts by the discount of the lowest price from its 90-day average. `unit_price_asc` needs `category` and groups by unit (`kg`, `l`, `m`, `m2`, `m3`, `ct`); products without a unit price come last.
                 * @example price_asc
                 */
                sort?: "relevance" | "popularity" | "price_asc" | "price_desc" | "name" | "newest" | "discount" | "unit_price_asc";
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search and filter products */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "prd_a",
                     *           "slug": "aurelio-tempo-headphones-white",
                     *           "name": "Aurelio Tempo Headphones White",
                     *           "brand": "Aurelio",
                     *           "category": {
                     *             "id": "cat_h",
                     *             "slug": "headphones",
                     *             "name": "Headphones"
                     *           },
                     *           "identifier": {
                     *             "ean": "0000096100172"
                     *           },
                     *           "image": "https://images.example/17.jpg",
                     *           "url": "https://api.example.com/products/aurelio-tempo-headphones-white",
                     *           "priceStats": {
                     *             "currency": "EUR",
                     *             "min": 33.49,
                     *             "max": 51.39,
                     *             "lowestEver": 31.49,
                     *             "offerCount": 6
                     *           }
                     *         },
                     *         {
                     *           "id": "prd_4y",
                     *           "slug": "sonavia-studio-3-headphones-graphite",
                     *           "name": "Sonavia Studio 3 Headphones Graphite",
                     *           "brand": "Sonavia",
                     *           "category": {
                     *             "id": "cat_h",
                     *             "slug": "headphones",
                     *             "name": "Headphones"
                     *           },
                     *           "identifier": {
                     *             "ean": "8001012567484",
                     *             "asin": "B0Q9LBXT46",
                     *             "mpn": "SO-1012"
                     *           },
                     *           "image": "https://images.example/12.jpg",
                     *           "url": "https://api.example.com/products/sonavia-studio-3-headphones-graphite",
                     *           "priceStats": {
                     *             "currency": "EUR",
                     *             "min": 38.99,
                     *             "max": 52.99,
                     *             "lowestEver": 38.99,
                     *             "offerCount": 3
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 2,
                     *         "nextCursor": "YjA0ZDIwMmNbIjM4OTkiLCIxNzgiXQ",
                     *         "total": 10
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"][];
                        page: components["schemas"]["CountedPage"];
                    };
                    /**
                     * @example id,slug,name,brand,category.id,category.slug,category.name,identifier.ean,identifier.asin,identifier.mpn,image,url,priceStats.currency,priceStats.min,priceStats.max,priceStats.lowestEver,priceStats.offerCount,unitPrice.amount,unitPrice.per
                     *     prd_a,aurelio-tempo-headphones-white,Aurelio Tempo Headphones White,Aurelio,cat_h,headphones,Headphones,0000096100172,,,https://images.example/17.jpg,https://api.example.com/products/aurelio-tempo-headphones-white,EUR,33.49,51.39,31.49,6,,
                     *     prd_4y,sonavia-studio-3-headphones-graphite,Sonavia Studio 3 Headphones Graphite,Sonavia,cat_h,headphones,Headphones,8001012567484,B0Q9LBXT46,SO-1012,https://images.example/12.jpg,https://api.example.com/products/sonavia-studio-3-headphones-graphite,EUR,38.99,52.99,38.99,3,,
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFacets: {
        parameters: {
            query?: {
                /**
                 * @description Words from the name, brand or category, in any order, or a GTIN, ASIN or MPN. Accents are ignored. Prefixes match too, and then other readings: quantities, words joined or split, singular for plural, synonyms. Each word of four letters or more may contain one typing error.
                 * @example headphones
                 */
                q?: string;
                /**
                 * @description Slug or id of a category, including its subcategories. Several, at most 20, are separated by commas: one must match.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand. Several, at most 20, are separated by commas: one must match.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of a merchant with a current offer. Several, at most 20, are separated by commas: one must match.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The minimum of the lowest total price.
                 * @example 10
                 */
                minPrice?: number;
                /**
                 * @description The maximum of the lowest total price.
                 * @example 99.99
                 */
                maxPrice?: number;
                /**
                 * @description At least one offer has this availability; with `merchant`, that merchant’s offer. Several are separated by commas: one must match.
                 * @example in_stock
                 */
                availability?: string;
                /**
                 * @description At least one offer is of goods in this condition; with `merchant` or `availability`, the same offer. Several are separated by commas: one must match.
                 * @example new
                 */
                condition?: string;
                /**
                 * @description `true`: at least one offer is in stock; with `merchant` or `condition`, the same offer. `false` does not restrict the list.
                 * @example true
                 */
                inStock?: boolean;
                /**
                 * @description The minimum discount of the lowest total price from its 90-day average, in percent.
                 * @example 10
                 */
                minDiscount?: number;
                /**
                 * @description The attribute `color`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`.
                 * @example Black
                 */
                "attr.color"?: string;
                /**
                 * @description The attribute `size`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`.
                 * @example M
                 */
                "attr.size"?: string;
                /** @description The attribute `material`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`. */
                "attr.material"?: string;
                /** @description The attribute `pattern`, exactly as products have it. Several, at most 20, are separated by commas: one must match. A comma in a value is written `\,`. */
                "attr.pattern"?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Facets of a list of products */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "categories": [
                     *           {
                     *             "slug": "home-garden",
                     *             "name": "Home & Garden",
                     *             "count": 54
                     *           },
                     *           {
                     *             "slug": "kitchen-dining",
                     *             "name": "Kitchen & Dining",
                     *             "count": 48
                     *           },
                     *           {
                     *             "slug": "electronics",
                     *             "name": "Electronics",
                     *             "count": 41
                     *           },
                     *           {
                     *             "slug": "health-beauty",
                     *             "name": "Health & Beauty",
                     *             "count": 30
                     *           },
                     *           {
                     *             "slug": "personal-care",
                     *             "name": "Personal Care",
                     *             "count": 30
                     *           },
                     *           {
                     *             "slug": "kitchen-appliances",
                     *             "name": "Kitchen Appliances",
                     *             "count": 23
                     *           },
                     *           {
                     *             "slug": "office-supplies",
                     *             "name": "Office Supplies",
                     *             "count": 21
                     *           },
                     *           {
                     *             "slug": "food-beverages-tobacco",
                     *             "name": "Food, Beverages & Tobacco",
                     *             "count": 20
                     *           },
                     *           {
                     *             "slug": "beverages",
                     *             "name": "Beverages",
                     *             "count": 20
                     *           },
                     *           {
                     *             "slug": "toys-games",
                     *             "name": "Toys & Games",
                     *             "count": 20
                     *           },
                     *           {
                     *             "slug": "electronics-accessories",
                     *             "name": "Electronics Accessories",
                     *             "count": 19
                     *           },
                     *           {
                     *             "slug": "computer-components",
                     *             "name": "Computer Components",
                     *             "count": 19
                     *           },
                     *           {
                     *             "slug": "input-devices",
                     *             "name": "Input Devices",
                     *             "count": 19
                     *           },
                     *           {
                     *             "slug": "cookware-bakeware",
                     *             "name": "Cookware & Bakeware",
                     *             "count": 15
                     *           },
                     *           {
                     *             "slug": "cookware",
                     *             "name": "Cookware",
                     *             "count": 15
                     *           },
                     *           {
                     *             "slug": "sporting-goods",
                     *             "name": "Sporting Goods",
                     *             "count": 15
                     *           },
                     *           {
                     *             "slug": "audio",
                     *             "name": "Audio",
                     *             "count": 14
                     *           },
                     *           {
                     *             "slug": "audio-components",
                     *             "name": "Audio Components",
                     *             "count": 14
                     *           },
                     *           {
                     *             "slug": "baby-toddler",
                     *             "name": "Baby & Toddler",
                     *             "count": 13
                     *           },
                     *           {
                     *             "slug": "office-instruments",
                     *             "name": "Office Instruments",
                     *             "count": 11
                     *           },
                     *           {
                     *             "slug": "writing-drawing-instruments",
                     *             "name": "Writing & Drawing Instruments",
                     *             "count": 11
                     *           },
                     *           {
                     *             "slug": "markers-highlighters",
                     *             "name": "Markers & Highlighters",
                     *             "count": 11
                     *           },
                     *           {
                     *             "slug": "highlighters",
                     *             "name": "Highlighters",
                     *             "count": 11
                     *           },
                     *           {
                     *             "slug": "animals-pet-supplies",
                     *             "name": "Animals & Pet Supplies",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "pet-supplies",
                     *             "name": "Pet Supplies",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "dog-supplies",
                     *             "name": "Dog Supplies",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "dog-food",
                     *             "name": "Dog Food",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "mice-trackballs",
                     *             "name": "Mice & Trackballs",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "coffee",
                     *             "name": "Coffee",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "tea-infusions",
                     *             "name": "Tea & Infusions",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "cosmetics",
                     *             "name": "Cosmetics",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "skin-care",
                     *             "name": "Skin Care",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "sunscreen",
                     *             "name": "Sunscreen",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "hair-care",
                     *             "name": "Hair Care",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "hair-styling-tools",
                     *             "name": "Hair Styling Tools",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "hair-dryers",
                     *             "name": "Hair Dryers",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "oral-care",
                     *             "name": "Oral Care",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "toothbrushes",
                     *             "name": "Toothbrushes",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "skillets-frying-pans",
                     *             "name": "Skillets & Frying Pans",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "electric-kettles",
                     *             "name": "Electric Kettles",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "toasters-grills",
                     *             "name": "Toasters & Grills",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "toasters",
                     *             "name": "Toasters",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "kitchen-tools-utensils",
                     *             "name": "Kitchen Tools & Utensils",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "kitchen-knives",
                     *             "name": "Kitchen Knives",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "luggage-bags",
                     *             "name": "Luggage & Bags",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "backpacks",
                     *             "name": "Backpacks",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "general-office-supplies",
                     *             "name": "General Office Supplies",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "paper-products",
                     *             "name": "Paper Products",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "notebooks-notepads",
                     *             "name": "Notebooks & Notepads",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "exercise-fitness",
                     *             "name": "Exercise & Fitness",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "yoga-pilates",
                     *             "name": "Yoga & Pilates",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "yoga-pilates-mats",
                     *             "name": "Yoga & Pilates Mats",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "games",
                     *             "name": "Games",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "board-games",
                     *             "name": "Board Games",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "toys",
                     *             "name": "Toys",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "building-toys",
                     *             "name": "Building Toys",
                     *             "count": 10
                     *           },
                     *           {
                     *             "slug": "baby-safety",
                     *             "name": "Baby Safety",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "baby-monitors",
                     *             "name": "Baby Monitors",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "keyboards",
                     *             "name": "Keyboards",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "hardware",
                     *             "name": "Hardware",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "tools",
                     *             "name": "Tools",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "drills",
                     *             "name": "Drills",
                     *             "count": 9
                     *           },
                     *           {
                     *             "slug": "headphones-headsets",
                     *             "name": "Headphones & Headsets",
                     *             "count": 8
                     *           },
                     *           {
                     *             "slug": "headphones",
                     *             "name": "Headphones",
                     *             "count": 8
                     *           },
                     *           {
                     *             "slug": "video",
                     *             "name": "Video",
                     *             "count": 7
                     *           },
                     *           {
                     *             "slug": "computer-monitors",
                     *             "name": "Computer Monitors",
                     *             "count": 7
                     *           },
                     *           {
                     *             "slug": "speakers",
                     *             "name": "Speakers",
                     *             "count": 6
                     *           },
                     *           {
                     *             "slug": "household-appliances",
                     *             "name": "Household Appliances",
                     *             "count": 6
                     *           },
                     *           {
                     *             "slug": "vacuums",
                     *             "name": "Vacuums",
                     *             "count": 6
                     *           },
                     *           {
                     *             "slug": "cookware-sets",
                     *             "name": "Cookware Sets",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "outdoor-recreation",
                     *             "name": "Outdoor Recreation",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "camping-hiking",
                     *             "name": "Camping & Hiking",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "tents",
                     *             "name": "Tents",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "baby-transport",
                     *             "name": "Baby Transport",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "baby-strollers",
                     *             "name": "Baby Strollers",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "furniture",
                     *             "name": "Furniture",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "office-furniture",
                     *             "name": "Office Furniture",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "office-chairs",
                     *             "name": "Office Chairs",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "coffee-makers-espresso-machines",
                     *             "name": "Coffee Makers & Espresso Machines",
                     *             "count": 3
                     *           },
                     *           {
                     *             "slug": "communications",
                     *             "name": "Communications",
                     *             "count": 1
                     *           },
                     *           {
                     *             "slug": "telephony",
                     *             "name": "Telephony",
                     *             "count": 1
                     *           },
                     *           {
                     *             "slug": "mobile-phones",
                     *             "name": "Mobile Phones",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "brands": [
                     *           {
                     *             "slug": "aurelio",
                     *             "name": "Aurelio",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "klangwerk",
                     *             "name": "Klangwerk",
                     *             "count": 2
                     *           },
                     *           {
                     *             "slug": "sonavia",
                     *             "name": "Sonavia",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "merchants": [
                     *           {
                     *             "slug": "nordlicht-versand",
                     *             "name": "Nordlicht Versand",
                     *             "count": 6
                     *           },
                     *           {
                     *             "slug": "techtonne",
                     *             "name": "TechTonne",
                     *             "count": 5
                     *           },
                     *           {
                     *             "slug": "kaufrausch24",
                     *             "name": "Kaufrausch24",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "preisperle",
                     *             "name": "Preisperle",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "magazin-berlin",
                     *             "name": "Магазин Берлин",
                     *             "count": 4
                     *           },
                     *           {
                     *             "slug": "sportsfreund",
                     *             "name": "Sportsfreund",
                     *             "count": 3
                     *           },
                     *           {
                     *             "slug": "zweitgluck",
                     *             "name": "Zweitglück",
                     *             "count": 3
                     *           }
                     *         ],
                     *         "availability": [
                     *           {
                     *             "value": "in_stock",
                     *             "count": 8
                     *           },
                     *           {
                     *             "value": "out_of_stock",
                     *             "count": 3
                     *           },
                     *           {
                     *             "value": "preorder",
                     *             "count": 1
                     *           }
                     *         ],
                     *         "condition": [
                     *           {
                     *             "value": "new",
                     *             "count": 8
                     *           },
                     *           {
                     *             "value": "used",
                     *             "count": 3
                     *           }
                     *         ],
                     *         "priceRanges": [
                     *           {
                     *             "min": 33.49,
                     *             "max": 38.99,
                     *             "count": 2
                     *           },
                     *           {
                     *             "min": 43.99,
                     *             "max": 46.99,
                     *             "count": 2
                     *           },
                     *           {
                     *             "min": 66.49,
                     *             "max": 99.99,
                     *             "count": 2
                     *           },
                     *           {
                     *             "min": 164.99,
                     *             "max": 174.99,
                     *             "count": 2
                     *           },
                     *           {
                     *             "min": 209.99,
                     *             "max": 254.99,
                     *             "count": 2
                     *           }
                     *         ],
                     *         "attributes": [
                     *           {
                     *             "name": "color",
                     *             "values": [
                     *               {
                     *                 "value": "Ruby",
                     *                 "count": 3
                     *               },
                     *               {
                     *                 "value": "Graphite",
                     *                 "count": 2
                     *               },
                     *               {
                     *                 "value": "Black",
                     *                 "count": 1
                     *               },
                     *               {
                     *                 "value": "Sage",
                     *                 "count": 1
                     *               },
                     *               {
                     *                 "value": "White",
                     *                 "count": 1
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description The moment whose products are counted, for at most 60 seconds after a change of more than 2000 products, while these are read; absent if the counts are current.
                             */
                            asOf?: string;
                            /** @description The categories of the products, and all categories above these. */
                            categories: components["schemas"]["CategoryCount"][];
                            /** @description The brands of the products. */
                            brands: components["schemas"]["BrandCount"][];
                            /** @description The merchants that offer the products now. */
                            merchants: components["schemas"]["MerchantCount"][];
                            /** @description The availabilities of the current offers. */
                            availability: components["schemas"]["AvailabilityCount"][];
                            /** @description The conditions of the current offers. */
                            condition: components["schemas"]["ConditionCount"][];
                            /** @description Up to 5 ranges of the lowest price with about equally many products each, cheapest first. */
                            priceRanges: components["schemas"]["PriceRange"][];
                            /** @description The attributes of the products: `color`, `size`, `material`, `pattern`, each if a product has it. */
                            attributes: components["schemas"]["AttributeFacet"][];
                        };
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The slug or the id of the product. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Product detail */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "prd_1",
                     *         "slug": "markina-glow-line-highlighter-yellow",
                     *         "name": "Markina Glow Line Highlighter Yellow",
                     *         "brand": "Markina",
                     *         "category": {
                     *           "id": "cat_23",
                     *           "slug": "highlighters",
                     *           "name": "Highlighters"
                     *         },
                     *         "identifier": {
                     *           "ean": "4006381333931",
                     *           "asin": "B0DEMO0001",
                     *           "mpn": "MK-1000"
                     *         },
                     *         "image": "https://images.example/4006381333931.jpg",
                     *         "url": "https://api.example.com/products/markina-glow-line-highlighter-yellow",
                     *         "priceStats": {
                     *           "currency": "EUR",
                     *           "min": 1.49,
                     *           "max": 7.09,
                     *           "lowestEver": 1.39,
                     *           "offerCount": 8
                     *         },
                     *         "description": "Highlighter with ink that does not dry out. Two line widths, and it does not smear print.",
                     *         "attributes": [
                     *           {
                     *             "name": "color",
                     *             "value": "Yellow"
                     *           }
                     *         ],
                     *         "categoryPath": [
                     *           {
                     *             "id": "cat_1w",
                     *             "slug": "office-supplies",
                     *             "name": "Office Supplies"
                     *           },
                     *           {
                     *             "id": "cat_20",
                     *             "slug": "office-instruments",
                     *             "name": "Office Instruments"
                     *           },
                     *           {
                     *             "id": "cat_21",
                     *             "slug": "writing-drawing-instruments",
                     *             "name": "Writing & Drawing Instruments"
                     *           },
                     *           {
                     *             "id": "cat_22",
                     *             "slug": "markers-highlighters",
                     *             "name": "Markers & Highlighters"
                     *           },
                     *           {
                     *             "id": "cat_23",
                     *             "slug": "highlighters",
                     *             "name": "Highlighters"
                     *           }
                     *         ],
                     *         "identifiers": {
                     *           "ean": [
                     *             "4006381333931"
                     *           ],
                     *           "asin": [
                     *             "B0DEMO0001"
                     *           ],
                     *           "mpn": "MK-1000"
                     *         },
                     *         "offers": [
                     *           {
                     *             "id": "off_d1",
                     *             "merchant": {
                     *               "id": "mer_4",
                     *               "slug": "techtonne",
                     *               "name": "TechTonne"
                     *             },
                     *             "price": 1.49,
                     *             "shippingKnown": false,
                     *             "totalPrice": 1.49,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_d1",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_mu",
                     *             "merchant": {
                     *               "id": "mer_7",
                     *               "slug": "bucherwurm-bleistift",
                     *               "name": "Bücherwurm & Bleistift"
                     *             },
                     *             "price": 1.49,
                     *             "shipping": 2.5,
                     *             "shippingKnown": true,
                     *             "totalPrice": 3.99,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_mu",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_ie",
                     *             "merchant": {
                     *               "id": "mer_6",
                     *               "slug": "preisperle",
                     *               "name": "Preisperle"
                     *             },
                     *             "price": 1.39,
                     *             "shipping": 2.99,
                     *             "shippingKnown": true,
                     *             "totalPrice": 4.38,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_ie",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_4w",
                     *             "merchant": {
                     *               "id": "mer_2",
                     *               "slug": "nordlicht-versand",
                     *               "name": "Nordlicht Versand"
                     *             },
                     *             "price": 1.49,
                     *             "shipping": 3.95,
                     *             "shippingKnown": true,
                     *             "totalPrice": 5.44,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_4w",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_g7",
                     *             "merchant": {
                     *               "id": "mer_5",
                     *               "slug": "haus-herd",
                     *               "name": "Haus & Herd"
                     *             },
                     *             "price": 1.49,
                     *             "shipping": 4.5,
                     *             "shippingKnown": true,
                     *             "totalPrice": 5.99,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_g7",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_o7",
                     *             "merchant": {
                     *               "id": "mer_8",
                     *               "slug": "magazin-berlin",
                     *               "name": "Магазин Берлин"
                     *             },
                     *             "price": 1.39,
                     *             "shipping": 4.9,
                     *             "shippingKnown": true,
                     *             "totalPrice": 6.29,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_o7",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_1",
                     *             "merchant": {
                     *               "id": "mer_1",
                     *               "slug": "kaufrausch24",
                     *               "name": "Kaufrausch24"
                     *             },
                     *             "price": 1.49,
                     *             "shipping": 4.9,
                     *             "shippingKnown": true,
                     *             "totalPrice": 6.39,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_1",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           {
                     *             "id": "off_9x",
                     *             "merchant": {
                     *               "id": "mer_3",
                     *               "slug": "bon-marche-direct",
                     *               "name": "Bon Marché Direct"
                     *             },
                     *             "price": 1.19,
                     *             "shipping": 5.9,
                     *             "shippingKnown": true,
                     *             "totalPrice": 7.09,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_9x",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           }
                     *         ],
                     *         "variants": [
                     *           {
                     *             "id": "prd_8d",
                     *             "slug": "markina-glow-line-highlighter-set-of-4",
                     *             "name": "Markina Glow Line Highlighter Set of 4",
                     *             "identifier": {
                     *               "ean": "5011166519119",
                     *               "asin": "B0PE669TVJ",
                     *               "mpn": "MA-1159"
                     *             },
                     *             "image": "https://images.example/159.jpg",
                     *             "url": "https://api.example.com/products/markina-glow-line-highlighter-set-of-4",
                     *             "priceStats": {
                     *               "currency": "EUR",
                     *               "min": 3.39,
                     *               "max": 3.88,
                     *               "lowestEver": 3.39,
                     *               "offerCount": 2
                     *             },
                     *             "availability": "in_stock",
                     *             "differs": []
                     *           }
                     *         ],
                     *         "createdAt": "2026-05-31T12:00:00Z",
                     *         "updatedAt": "2026-11-27T12:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"] & {
                            /** @description The description in plain text. */
                            description?: string;
                            /** @description Distinguishing properties such as colour and size; absent if no shop states any. */
                            attributes?: {
                                /** @description The name as in feeds, such as `color`. */
                                name: string;
                                /** @description The value, as the shop states it. */
                                value: string;
                            }[];
                            /** @description The path from the top category to the category of the product; empty if none is known. */
                            categoryPath: components["schemas"]["CategoryReference"][];
                            /** @description All identifiers. */
                            identifiers: {
                                /** @description All EAN/GTINs. */
                                ean: string[];
                                /** @description All ASINs. */
                                asin: string[];
                                /** @description The manufacturer's part number. */
                                mpn?: string;
                            };
                            /** @description The current offers, cheapest first, then by shop name. */
                            offers: components["schemas"]["Offer"][];
                            /** @description The other products that the shop that founded this one, or two shops, list in one group with it (`item_group_id`), in the order in which they were found. Of those that only one shop sells, the first 5 are listed. Groups of more than 100 products are left out. */
                            variants: components["schemas"]["Variant"][];
                            /**
                             * Format: date-time
                             * @description The time of first observation.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description The time of the last change of the product or one of its offers.
                             */
                            updatedAt: string;
                        };
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOffers: {
        parameters: {
            query?: {
                /**
                 * @description `known` leaves out offers whose shop does not state the shipping.
                 * @example known
                 */
                shipping?: "known";
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id or the slug of the product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All offers of a product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "off_d1",
                     *           "merchant": {
                     *             "id": "mer_4",
                     *             "slug": "techtonne",
                     *             "name": "TechTonne"
                     *           },
                     *           "price": 1.49,
                     *           "shippingKnown": false,
                     *           "totalPrice": 1.49,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_d1",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_mu",
                     *           "merchant": {
                     *             "id": "mer_7",
                     *             "slug": "bucherwurm-bleistift",
                     *             "name": "Bücherwurm & Bleistift"
                     *           },
                     *           "price": 1.49,
                     *           "shipping": 2.5,
                     *           "shippingKnown": true,
                     *           "totalPrice": 3.99,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_mu",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_ie",
                     *           "merchant": {
                     *             "id": "mer_6",
                     *             "slug": "preisperle",
                     *             "name": "Preisperle"
                     *           },
                     *           "price": 1.39,
                     *           "shipping": 2.99,
                     *           "shippingKnown": true,
                     *           "totalPrice": 4.38,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_ie",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_4w",
                     *           "merchant": {
                     *             "id": "mer_2",
                     *             "slug": "nordlicht-versand",
                     *             "name": "Nordlicht Versand"
                     *           },
                     *           "price": 1.49,
                     *           "shipping": 3.95,
                     *           "shippingKnown": true,
                     *           "totalPrice": 5.44,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_4w",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_g7",
                     *           "merchant": {
                     *             "id": "mer_5",
                     *             "slug": "haus-herd",
                     *             "name": "Haus & Herd"
                     *           },
                     *           "price": 1.49,
                     *           "shipping": 4.5,
                     *           "shippingKnown": true,
                     *           "totalPrice": 5.99,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_g7",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_o7",
                     *           "merchant": {
                     *             "id": "mer_8",
                     *             "slug": "magazin-berlin",
                     *             "name": "Магазин Берлин"
                     *           },
                     *           "price": 1.39,
                     *           "shipping": 4.9,
                     *           "shippingKnown": true,
                     *           "totalPrice": 6.29,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_o7",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_1",
                     *           "merchant": {
                     *             "id": "mer_1",
                     *             "slug": "kaufrausch24",
                     *             "name": "Kaufrausch24"
                     *           },
                     *           "price": 1.49,
                     *           "shipping": 4.9,
                     *           "shippingKnown": true,
                     *           "totalPrice": 6.39,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_1",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "off_9x",
                     *           "merchant": {
                     *             "id": "mer_3",
                     *             "slug": "bon-marche-direct",
                     *             "name": "Bon Marché Direct"
                     *           },
                     *           "price": 1.19,
                     *           "shipping": 5.9,
                     *           "shippingKnown": true,
                     *           "totalPrice": 7.09,
                     *           "currency": "EUR",
                     *           "availability": "in_stock",
                     *           "condition": "new",
                     *           "url": "/go/off_9x",
                     *           "updatedAt": "2026-11-27T12:00:00Z",
                     *           "seenAt": "2026-11-27T12:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Offer"][];
                    };
                    /**
                     * @example id,merchant.id,merchant.slug,merchant.name,price,shipping,shippingKnown,totalPrice,unitPrice.amount,unitPrice.per,currency,availability,condition,url,updatedAt,seenAt,reduction.since,reduction.regularPrice,reduction.priorPrice,reduction.priorPriceProgressive,reduction.percent
                     *     off_d1,mer_4,techtonne,TechTonne,1.49,,false,1.49,,,EUR,in_stock,new,/go/off_d1,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_mu,mer_7,bucherwurm-bleistift,Bücherwurm & Bleistift,1.49,2.5,true,3.99,,,EUR,in_stock,new,/go/off_mu,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_ie,mer_6,preisperle,Preisperle,1.39,2.99,true,4.38,,,EUR,in_stock,new,/go/off_ie,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_4w,mer_2,nordlicht-versand,Nordlicht Versand,1.49,3.95,true,5.44,,,EUR,in_stock,new,/go/off_4w,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_g7,mer_5,haus-herd,Haus & Herd,1.49,4.5,true,5.99,,,EUR,in_stock,new,/go/off_g7,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_o7,mer_8,magazin-berlin,Магазин Берлин,1.39,4.9,true,6.29,,,EUR,in_stock,new,/go/off_o7,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_1,mer_1,kaufrausch24,Kaufrausch24,1.49,4.9,true,6.39,,,EUR,in_stock,new,/go/off_1,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     *     off_9x,mer_3,bon-marche-direct,Bon Marché Direct,1.19,5.9,true,7.09,,,EUR,in_stock,new,/go/off_9x,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPriceHistory: {
        parameters: {
            query?: {
                /**
                 * @description The number of days up to and including today; 90 by default. Cannot be combined with `from` and `to`.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description The first day.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description The last day, inclusive; today by default.
                 * @example 2026-03-31
                 */
                to?: string;
                /**
                 * @description The interval of a point.
                 * @example week
                 */
                interval?: "day" | "week" | "month";
                /**
                 * @description Slug or id of a merchant, to see only that merchant’s prices. An unknown one has no points.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description Only prices of goods in this condition.
                 * @example new
                 */
                condition?: "new" | "refurbished" | "used";
                /**
                 * @description Only prices of offers with this availability at the time. A time without a recorded one does not match.
                 * @example in_stock
                 */
                availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id or the slug of the product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Price history of a product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "currency": "EUR",
                     *         "interval": "day",
                     *         "from": "2026-11-24",
                     *         "to": "2026-11-28",
                     *         "lowestEver": {
                     *           "price": 1.39,
                     *           "date": "2026-05-31"
                     *         },
                     *         "points": [
                     *           {
                     *             "date": "2026-11-24",
                     *             "min": 1.49,
                     *             "max": 7.09,
                     *             "avg": 5.13,
                     *             "offerCount": 8,
                     *             "inStock": 1,
                     *             "minInStock": 1.49
                     *           },
                     *           {
                     *             "date": "2026-11-25",
                     *             "min": 1.49,
                     *             "max": 7.09,
                     *             "avg": 5.13,
                     *             "offerCount": 8,
                     *             "inStock": 1,
                     *             "minInStock": 1.49
                     *           },
                     *           {
                     *             "date": "2026-11-26",
                     *             "min": 1.49,
                     *             "max": 7.09,
                     *             "avg": 5.13,
                     *             "offerCount": 8,
                     *             "inStock": 1,
                     *             "minInStock": 1.49
                     *           },
                     *           {
                     *             "date": "2026-11-27",
                     *             "min": 1.49,
                     *             "max": 7.09,
                     *             "avg": 5.13,
                     *             "offerCount": 8,
                     *             "inStock": 1,
                     *             "minInStock": 1.49
                     *           },
                     *           {
                     *             "date": "2026-11-28",
                     *             "min": 1.49,
                     *             "max": 7.09,
                     *             "avg": 5.13,
                     *             "offerCount": 8,
                     *             "inStock": 1,
                     *             "minInStock": 1.49
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The currency of the amounts, ISO 4217. */
                            currency: string;
                            /** @description The interval of the points. */
                            interval: components["schemas"]["HistoryInterval"];
                            /**
                             * Format: date
                             * @description The first day.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description The last day, inclusive.
                             */
                            to: string;
                            /** @description The lowest matching total price ever recorded, also before the requested days; absent if none was recorded. */
                            lowestEver?: {
                                /** @description The total price. */
                                price: number;
                                /**
                                 * Format: date
                                 * @description The day.
                                 */
                                date: string;
                            };
                            /** @description The points in chronological order. Intervals without a price have no point. */
                            points: components["schemas"]["PricePoint"][];
                        };
                    };
                    "image/svg+xml": string;
                    /**
                     * @example date,min,max,avg,offerCount,inStock,minInStock,currency,interval
                     *     2026-11-24,1.49,7.09,5.13,8,1,1.49,EUR,day
                     *     2026-11-25,1.49,7.09,5.13,8,1,1.49,EUR,day
                     *     2026-11-26,1.49,7.09,5.13,8,1,1.49,EUR,day
                     *     2026-11-27,1.49,7.09,5.13,8,1,1.49,EUR,day
                     *     2026-11-28,1.49,7.09,5.13,8,1,1.49,EUR,day
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPriceStatistics: {
        parameters: {
            query?: {
                /**
                 * @description Only offers of this condition.
                 * @example new
                 */
                condition?: "new" | "refurbished" | "used";
                /**
                 * @description Only offers while they have this availability.
                 * @example in_stock
                 */
                availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                /**
                 * @description Slug or id of a merchant: only its offers. An unknown one has no figures.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description `known` leaves out offers whose shop does not state the shipping.
                 * @example known
                 */
                shipping?: "known";
                /**
                 * @description The number of days up to and including today; all time by default. Cannot be combined with `from` and `to`.
                 * @example 365
                 */
                days?: number;
                /**
                 * @description The first day.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description The last day, inclusive; today by default.
                 * @example 2026-03-31
                 */
                to?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id or the slug of the product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Price statistics of a product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "currency": "EUR",
                     *         "current": 40.49,
                     *         "shippingKnown": true,
                     *         "low": {
                     *           "price": 32.49,
                     *           "firstDay": "2026-06-18",
                     *           "lastDay": "2026-07-09",
                     *           "merchants": [
                     *             "preisperle"
                     *           ]
                     *         },
                     *         "high": {
                     *           "price": 43.99,
                     *           "firstDay": "2026-09-11",
                     *           "lastDay": "2026-09-28",
                     *           "merchants": [
                     *             "nordlicht-versand"
                     *           ]
                     *         },
                     *         "windows": [
                     *           {
                     *             "days": 30,
                     *             "min": 40.49,
                     *             "max": 41.99,
                     *             "avg": 41.9,
                     *             "median": 41.99,
                     *             "outOfStockPercent": 0
                     *           },
                     *           {
                     *             "days": 90,
                     *             "min": 40.49,
                     *             "max": 43.99,
                     *             "avg": 41.7,
                     *             "median": 40.99,
                     *             "outOfStockPercent": 0
                     *           },
                     *           {
                     *             "days": 365,
                     *             "min": 32.49,
                     *             "max": 43.99,
                     *             "avg": 40.34,
                     *             "median": 40.49,
                     *             "outOfStockPercent": 0
                     *           },
                     *           {
                     *             "min": 32.49,
                     *             "max": 43.99,
                     *             "avg": 40.34,
                     *             "median": 40.49,
                     *             "outOfStockPercent": 0
                     *           }
                     *         ],
                     *         "percentile": 35.26,
                     *         "isLowest": false,
                     *         "isLowest90": true,
                     *         "drops": 3,
                     *         "observations": 27,
                     *         "excluded": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The currency of the amounts, ISO 4217. */
                            currency: string;
                            /** @description The price at the end of the time span; absent without a matching offer. */
                            current?: number;
                            /** @description Whether the prices include stated shipping: all do, or none does; absent if no offer had a price. */
                            shippingKnown?: boolean;
                            /** @description The lowest price; absent if no offer had a price. */
                            low?: components["schemas"]["PriceExtreme"];
                            /** @description The highest price; absent if no offer had a price. */
                            high?: components["schemas"]["PriceExtreme"];
                            /** @description The 30, 90 and 365 days up to the end of the time span, and all time up to it. Empty without a matching observation. */
                            windows: components["schemas"]["PriceWindow"][];
                            /** @description The share of the last 365 days of the time span in which the price was below `current`, in percent; absent without `current`. */
                            percentile?: number;
                            /** @description Whether `current` is the lowest price of the time span; absent without `current`. */
                            isLowest?: boolean;
                            /** @description Whether `current` is the lowest price of the last 90 days of the time span; absent without `current`. */
                            isLowest90?: boolean;
                            /** @description How often the price fell; absent if no offer had a price. */
                            drops?: number;
                            /** @description The number of matching prices observed, without outliers. */
                            observations: number;
                            /** @description The number of matching prices left out as outliers, because they are probably typing errors. */
                            excluded: number;
                            /** @description The cheapest matching offer, if its present price is left out as an outlier and is below `current`; absent if there is none. */
                            currentExcluded?: {
                                /** @description The offer as it is now. */
                                offer: components["schemas"]["Offer"];
                                /** @description Why its price is left out, and when it counts. */
                                reason: string;
                            };
                        };
                    };
                    /**
                     * @example days,min,max,avg,median,outOfStockPercent,currency,current,percentile,drops,observations,excluded,low.price,low.firstDay,low.lastDay,low.merchants,high.price,high.firstDay,high.lastDay,high.merchants,shippingKnown
                     *     30,40.49,41.99,41.9,41.99,0,EUR,40.49,35.26,3,27,0,32.49,2026-06-18,2026-07-09,preisperle,43.99,2026-09-11,2026-09-28,nordlicht-versand,true
                     *     90,40.49,43.99,41.7,40.99,0,EUR,40.49,35.26,3,27,0,32.49,2026-06-18,2026-07-09,preisperle,43.99,2026-09-11,2026-09-28,nordlicht-versand,true
                     *     365,32.49,43.99,40.34,40.49,0,EUR,40.49,35.26,3,27,0,32.49,2026-06-18,2026-07-09,preisperle,43.99,2026-09-11,2026-09-28,nordlicht-versand,true
                     *     ,32.49,43.99,40.34,40.49,0,EUR,40.49,35.26,3,27,0,32.49,2026-06-18,2026-07-09,preisperle,43.99,2026-09-11,2026-09-28,nordlicht-versand,true
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPriceIndex: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of a merchant.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The number of days up to and including today; 90 by default. Cannot be combined with `from` and `to`.
                 * @example 30
                 */
                days?: number;
                /**
                 * @description The first day.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description The last day, inclusive; today by default.
                 * @example 2026-03-31
                 */
                to?: string;
                /**
                 * @description The interval of a point.
                 * @example week
                 */
                interval?: "day" | "week" | "month";
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Price index of a category, brand or shop */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "category": {
                     *           "id": "cat_h",
                     *           "slug": "headphones",
                     *           "name": "Headphones"
                     *         },
                     *         "interval": "day",
                     *         "from": "2026-11-24",
                     *         "to": "2026-11-28",
                     *         "points": [
                     *           {
                     *             "date": "2026-11-24",
                     *             "index": 100,
                     *             "productCount": 10,
                     *             "offerCount": 35
                     *           },
                     *           {
                     *             "date": "2026-11-25",
                     *             "index": 100,
                     *             "productCount": 10,
                     *             "offerCount": 35
                     *           },
                     *           {
                     *             "date": "2026-11-26",
                     *             "index": 100,
                     *             "productCount": 10,
                     *             "offerCount": 35
                     *           },
                     *           {
                     *             "date": "2026-11-27",
                     *             "index": 99.734,
                     *             "productCount": 10,
                     *             "offerCount": 35
                     *           },
                     *           {
                     *             "date": "2026-11-28",
                     *             "index": 99.734,
                     *             "productCount": 10,
                     *             "offerCount": 35
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The category, if the index is of a known one. */
                            category?: components["schemas"]["CategoryReference"];
                            /** @description The brand, if the index is of a known one. */
                            brand?: components["schemas"]["BrandReference"];
                            /** @description The merchant, if the index is of a known one. */
                            merchant?: components["schemas"]["MerchantReference"];
                            /** @description The interval of the points. */
                            interval: components["schemas"]["HistoryInterval"];
                            /**
                             * Format: date
                             * @description The first day.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description The last day, inclusive.
                             */
                            to: string;
                            /** @description The points in chronological order. Intervals whose last day compares no offers have no point, except the one before the first point, whose index is 100. */
                            points: components["schemas"]["PriceIndexPoint"][];
                        };
                    };
                    /**
                     * @example date,index,productCount,offerCount,interval
                     *     2026-11-24,100,10,35,day
                     *     2026-11-25,100,10,35,day
                     *     2026-11-26,100,10,35,day
                     *     2026-11-27,99.734,10,35,day
                     *     2026-11-28,99.734,10,35,day
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareMerchants: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Comparison of the shops in a category or brand */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "merchant": {
                     *             "id": "mer_2",
                     *             "slug": "nordlicht-versand",
                     *             "name": "Nordlicht Versand"
                     *           },
                     *           "productCount": 7,
                     *           "cheapestPercent": 42.86,
                     *           "soleSellerPercent": 0,
                     *           "medianDistancePercent": 2.2,
                     *           "outOfStockPercent": 0
                     *         },
                     *         {
                     *           "merchant": {
                     *             "id": "mer_4",
                     *             "slug": "techtonne",
                     *             "name": "TechTonne"
                     *           },
                     *           "productCount": 6,
                     *           "cheapestPercent": 0,
                     *           "soleSellerPercent": 0,
                     *           "outOfStockPercent": 33.33
                     *         },
                     *         {
                     *           "merchant": {
                     *             "id": "mer_8",
                     *             "slug": "magazin-berlin",
                     *             "name": "Магазин Берлин"
                     *           },
                     *           "productCount": 6,
                     *           "cheapestPercent": 50,
                     *           "soleSellerPercent": 16.67,
                     *           "medianDistancePercent": 0,
                     *           "outOfStockPercent": 33.33
                     *         },
                     *         {
                     *           "merchant": {
                     *             "id": "mer_1",
                     *             "slug": "kaufrausch24",
                     *             "name": "Kaufrausch24"
                     *           },
                     *           "productCount": 5,
                     *           "cheapestPercent": 20,
                     *           "soleSellerPercent": 0,
                     *           "medianDistancePercent": 5.5,
                     *           "outOfStockPercent": 20
                     *         },
                     *         {
                     *           "merchant": {
                     *             "id": "mer_6",
                     *             "slug": "preisperle",
                     *             "name": "Preisperle"
                     *           },
                     *           "productCount": 4,
                     *           "cheapestPercent": 75,
                     *           "soleSellerPercent": 25,
                     *           "medianDistancePercent": 0,
                     *           "outOfStockPercent": 25
                     *         },
                     *         {
                     *           "merchant": {
                     *             "id": "mer_9",
                     *             "slug": "sportsfreund",
                     *             "name": "Sportsfreund"
                     *           },
                     *           "productCount": 4,
                     *           "cheapestPercent": 25,
                     *           "soleSellerPercent": 0,
                     *           "medianDistancePercent": 23,
                     *           "outOfStockPercent": 25
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MerchantStanding"][];
                    };
                    /**
                     * @example merchant.id,merchant.slug,merchant.name,productCount,cheapestPercent,soleSellerPercent,medianDistancePercent,outOfStockPercent
                     *     mer_2,nordlicht-versand,Nordlicht Versand,7,42.86,0,2.2,0
                     *     mer_4,techtonne,TechTonne,6,0,0,,33.33
                     *     mer_8,magazin-berlin,Магазин Берлин,6,50,16.67,0,33.33
                     *     mer_1,kaufrausch24,Kaufrausch24,5,20,0,5.5,20
                     *     mer_6,preisperle,Preisperle,4,75,25,0,25
                     *     mer_9,sportsfreund,Sportsfreund,4,25,0,23,25
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findDeals: {
        parameters: {
            query?: {
                /**
                 * @description The least fall in percent.
                 * @example 10
                 */
                minPercent?: number;
                /**
                 * @description The price is the lowest ever (`all`), or of the last 90 or 30 days, for `condition` and `merchant` in stock.
                 * @example 90d
                 */
                low?: "all" | "90d" | "30d";
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of a merchant, to see only its prices.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The condition of the goods.
                 * @example new
                 */
                condition?: "new" | "refurbished" | "used";
                /**
                 * @description `known` leaves out offers whose shop does not state the shipping.
                 * @example known
                 */
                shipping?: "known";
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Products whose price fell */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "product": {
                     *             "id": "prd_37",
                     *             "slug": "nordaer-ultralight-tent-sand",
                     *             "name": "Nordaer Ultralight Tent Sand",
                     *             "brand": "Nordaer",
                     *             "category": {
                     *               "id": "cat_2a",
                     *               "slug": "tents",
                     *               "name": "Tents"
                     *             },
                     *             "identifier": {
                     *               "ean": "3011229356516",
                     *               "asin": "B0GDARCQ2M",
                     *               "mpn": "NO-1219"
                     *             },
                     *             "image": "https://images.example/219.jpg",
                     *             "url": "https://api.example.com/products/nordaer-ultralight-tent-sand",
                     *             "priceStats": {
                     *               "currency": "EUR",
                     *               "min": 384.99,
                     *               "max": 529.99,
                     *               "lowestEver": 384.99,
                     *               "offerCount": 4
                     *             }
                     *           },
                     *           "offer": {
                     *             "id": "off_vg",
                     *             "merchant": {
                     *               "id": "mer_a",
                     *               "slug": "zweitgluck",
                     *               "name": "Zweitglück"
                     *             },
                     *             "price": 384.99,
                     *             "shipping": 0,
                     *             "shippingKnown": true,
                     *             "totalPrice": 384.99,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_vg",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           "price": 384.99,
                     *           "previous": 504.99,
                     *           "percent": 23.76,
                     *           "since": "2026-09-28T12:00:00Z"
                     *         },
                     *         {
                     *           "product": {
                     *             "id": "prd_84",
                     *             "slug": "tintero-mini-highlighter-set-of-8",
                     *             "name": "Tintero Mini Highlighter Set of 8",
                     *             "brand": "Tintero",
                     *             "category": {
                     *               "id": "cat_23",
                     *               "slug": "highlighters",
                     *               "name": "Highlighters"
                     *             },
                     *             "identifier": {
                     *               "ean": "5011161282667",
                     *               "mpn": "TI-1154"
                     *             },
                     *             "image": "https://images.example/154.jpg",
                     *             "url": "https://api.example.com/products/tintero-mini-highlighter-set-of-8",
                     *             "priceStats": {
                     *               "currency": "EUR",
                     *               "min": 8.28,
                     *               "max": 10.89,
                     *               "lowestEver": 7.98,
                     *               "offerCount": 2
                     *             }
                     *           },
                     *           "offer": {
                     *             "id": "off_k9",
                     *             "merchant": {
                     *               "id": "mer_6",
                     *               "slug": "preisperle",
                     *               "name": "Preisperle"
                     *             },
                     *             "price": 5.29,
                     *             "shipping": 2.99,
                     *             "shippingKnown": true,
                     *             "totalPrice": 8.28,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_k9",
                     *             "updatedAt": "2026-11-27T12:00:00Z",
                     *             "seenAt": "2026-11-27T12:00:00Z"
                     *           },
                     *           "price": 8.28,
                     *           "previous": 10.19,
                     *           "percent": 18.74,
                     *           "since": "2026-09-28T12:00:00Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 2,
                     *         "nextCursor": "ZTI2YzJiZDJbODEyNiwiMjkyIl0",
                     *         "total": 6
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deal"][];
                        page: components["schemas"]["CountedPage"];
                    };
                    /**
                     * @example product.id,product.slug,product.name,product.brand,product.category.id,product.category.slug,product.category.name,product.identifier.ean,product.identifier.asin,product.identifier.mpn,product.image,product.url,product.priceStats.currency,product.priceStats.min,product.priceStats.max,product.priceStats.lowestEver,product.priceStats.offerCount,product.unitPrice.amount,product.unitPrice.per,offer.id,offer.merchant.id,offer.merchant.slug,offer.merchant.name,offer.price,offer.shipping,offer.shippingKnown,offer.totalPrice,offer.unitPrice.amount,offer.unitPrice.per,offer.currency,offer.availability,offer.condition,offer.url,offer.updatedAt,offer.seenAt,offer.reduction.since,offer.reduction.regularPrice,offer.reduction.priorPrice,offer.reduction.priorPriceProgressive,offer.reduction.percent,price,previous,percent,since
                     *     prd_37,nordaer-ultralight-tent-sand,Nordaer Ultralight Tent Sand,Nordaer,cat_2a,tents,Tents,3011229356516,B0GDARCQ2M,NO-1219,https://images.example/219.jpg,https://api.example.com/products/nordaer-ultralight-tent-sand,EUR,384.99,529.99,384.99,4,,,off_vg,mer_a,zweitgluck,Zweitglück,384.99,0,true,384.99,,,EUR,in_stock,new,/go/off_vg,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,,384.99,504.99,23.76,2026-09-28T12:00:00Z
                     *     prd_84,tintero-mini-highlighter-set-of-8,Tintero Mini Highlighter Set of 8,Tintero,cat_23,highlighters,Highlighters,5011161282667,,TI-1154,https://images.example/154.jpg,https://api.example.com/products/tintero-mini-highlighter-set-of-8,EUR,8.28,10.89,7.98,2,,,off_k9,mer_6,preisperle,Preisperle,5.29,2.99,true,8.28,,,EUR,in_stock,new,/go/off_k9,2026-11-27T12:00:00Z,2026-11-27T12:00:00Z,,,,,,8.28,10.19,18.74,2026-09-28T12:00:00Z
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /**
                 * @description Only changes with one of these types, separated by commas.
                 * @example [
                 *       "price"
                 *     ]
                 */
                types?: ("price" | "availability" | "offer" | "offer_created" | "offer_withdrawn" | "product")[];
                /**
                 * @description Slug or id of a merchant, to see only its offers.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description Slug or id of a category, including its subcategories: that of the product now.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand: that of the product now.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slugs or ids of up to 100 products, separated by commas.
                 * @example [
                 *       "markina-glow-line-highlighter-yellow"
                 *     ]
                 */
                product?: string[];
                /**
                 * @description The number of changes per page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where to continue: `page.nextCursor` of the last page or the cursor of an export. `now` starts after the last change. */
                cursor?: string;
                /**
                 * @description Long poll: the seconds to wait for a change if the page would be empty.
                 * @example 0
                 */
                wait?: number;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed, in order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "seq": 176,
                     *           "at": "2026-11-28T23:36:24.064Z",
                     *           "observedAt": "2026-11-27T12:00:00Z",
                     *           "types": [
                     *             "offer_created"
                     *           ],
                     *           "productId": "prd_1",
                     *           "offerId": "off_1",
                     *           "before": null,
                     *           "after": {
                     *             "id": "off_1",
                     *             "productId": "prd_1",
                     *             "merchant": {
                     *               "id": "mer_1",
                     *               "slug": "kaufrausch24",
                     *               "name": "Kaufrausch24"
                     *             },
                     *             "price": 1.49,
                     *             "shipping": 4.9,
                     *             "shippingKnown": true,
                     *             "totalPrice": 6.39,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_1",
                     *             "updatedAt": "2026-11-27T12:00:00Z"
                     *           }
                     *         },
                     *         {
                     *           "seq": 177,
                     *           "at": "2026-11-28T23:36:24.064Z",
                     *           "observedAt": "2026-11-27T12:00:00Z",
                     *           "types": [
                     *             "offer_created"
                     *           ],
                     *           "productId": "prd_2",
                     *           "offerId": "off_2",
                     *           "before": null,
                     *           "after": {
                     *             "id": "off_2",
                     *             "productId": "prd_2",
                     *             "merchant": {
                     *               "id": "mer_1",
                     *               "slug": "kaufrausch24",
                     *               "name": "Kaufrausch24"
                     *             },
                     *             "price": 1429.99,
                     *             "shipping": 0,
                     *             "shippingKnown": true,
                     *             "totalPrice": 1429.99,
                     *             "currency": "EUR",
                     *             "availability": "in_stock",
                     *             "condition": "new",
                     *             "url": "/go/off_2",
                     *             "updatedAt": "2026-11-27T12:00:00Z"
                     *           }
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 2,
                     *         "nextCursor": "NWUyYzAwNDRbIjE3NyJd",
                     *         "hasMore": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Change"][];
                        page: components["schemas"]["StreamPage"];
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitedOrWaiting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of the category to start from. An unknown category returns an empty list.
                 * @example audio
                 */
                root?: string;
                /**
                 * @description The number of levels; all by default. Categories on the last level have no children.
                 * @example 2
                 */
                depth?: number;
                /**
                 * @description `true` leaves out categories without products, also in their subcategories.
                 * @example true
                 */
                nonEmpty?: boolean;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Category tree */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cat_e",
                     *           "slug": "audio",
                     *           "name": "Audio",
                     *           "productCount": 20,
                     *           "children": [
                     *             {
                     *               "id": "cat_f",
                     *               "slug": "audio-components",
                     *               "name": "Audio Components",
                     *               "productCount": 20,
                     *               "children": []
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CategoryNode"][];
                    };
                    /**
                     * @example id,slug,name,productCount,parent.slug
                     *     cat_e,audio,Audio,20,
                     *     cat_f,audio-components,Audio Components,20,audio
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBrands: {
        parameters: {
            query?: {
                /**
                 * @description A prefix of the name, ignoring accents and case.
                 * @example so
                 */
                q?: string;
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Brands */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "brd_12",
                     *           "slug": "sonavia",
                     *           "name": "Sonavia",
                     *           "productCount": 5
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 5
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Brand"][];
                        page: components["schemas"]["Page"];
                    };
                    /**
                     * @example id,slug,name,productCount
                     *     brd_12,sonavia,Sonavia,5
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /**
                 * @description A prefix of the name, ignoring accents and case.
                 * @example te
                 */
                q?: string;
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Merchants */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mer_3",
                     *           "slug": "bon-marche-direct",
                     *           "name": "Bon Marché Direct",
                     *           "offerCount": 112,
                     *           "url": "https://www.bonmarche-direct.example",
                     *           "observedAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "mer_7",
                     *           "slug": "bucherwurm-bleistift",
                     *           "name": "Bücherwurm & Bleistift",
                     *           "offerCount": 49,
                     *           "url": "https://www.buecherwurm-bleistift.example",
                     *           "observedAt": "2026-11-27T12:00:00Z"
                     *         },
                     *         {
                     *           "id": "mer_5",
                     *           "slug": "haus-herd",
                     *           "name": "Haus & Herd",
                     *           "offerCount": 79,
                     *           "url": "https://www.haus-und-herd.example",
                     *           "observedAt": "2026-11-27T12:00:00Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 3,
                     *         "nextCursor": "MGM2MTU5NTRbImhhdXMgaGVyZCIsIjUiXQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Merchant"][];
                        page: components["schemas"]["Page"];
                    };
                    /**
                     * @example id,slug,name,offerCount,url,observedAt
                     *     mer_3,bon-marche-direct,Bon Marché Direct,112,https://www.bonmarche-direct.example,2026-11-27T12:00:00Z
                     *     mer_7,bucherwurm-bleistift,Bücherwurm & Bleistift,49,https://www.buecherwurm-bleistift.example,2026-11-27T12:00:00Z
                     *     mer_5,haus-herd,Haus & Herd,79,https://www.haus-und-herd.example,2026-11-27T12:00:00Z
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description The typed text.
                 * @example mark
                 */
                q: string;
                /**
                 * @description The maximum number of suggestions.
                 * @example 10
                 */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Typeahead search */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "brand",
                     *           "id": "brd_q",
                     *           "slug": "markina",
                     *           "name": "Markina",
                     *           "url": "https://api.example.com/api/v1/products?brand=markina"
                     *         },
                     *         {
                     *           "type": "category",
                     *           "id": "cat_22",
                     *           "slug": "markers-highlighters",
                     *           "name": "Markers & Highlighters",
                     *           "url": "https://api.example.com/api/v1/products?category=markers-highlighters"
                     *         },
                     *         {
                     *           "type": "product",
                     *           "id": "prd_1",
                     *           "slug": "markina-glow-line-highlighter-yellow",
                     *           "name": "Markina Glow Line Highlighter Yellow",
                     *           "url": "https://api.example.com/products/markina-glow-line-highlighter-yellow"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Suggestion"][];
                    };
                    /**
                     * @example type,id,slug,name,url
                     *     brand,brd_q,markina,Markina,https://api.example.com/api/v1/products?brand=markina
                     *     category,cat_22,markers-highlighters,Markers & Highlighters,https://api.example.com/api/v1/products?category=markers-highlighters
                     *     product,prd_1,markina-glow-line-highlighter-yellow,Markina Glow Line Highlighter Yellow,https://api.example.com/products/markina-glow-line-highlighter-yellow
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listArticles: {
        parameters: {
            query?: {
                /**
                 * @description Words from the title, summary or text. Prefixes match too.
                 * @example coffee
                 */
                q?: string;
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example electronics
                 */
                category?: string;
                /** @description The slug of one article. */
                slug?: string;
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Guide articles */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "art_6",
                     *           "slug": "how-to-choose-a-laptop",
                     *           "title": "How to choose a laptop",
                     *           "summary": "Size, memory and display are with you for years, so settle them first. How much you need for which work, and where you can save.",
                     *           "body": "A laptop is bought for about five years. What you can change later (a mouse, a second display, storage in the cloud) matters less\nthan what you cannot: the size, the display, the keyboard, and in most models the memory.\n\n## Size first\n\n- **13 to 14 inches, about 1.2 to 1.4 kg.** For everyone who carries it each day. At a desk, connect a large display.\n- **15 inches, about 1.6 to 1.8 kg.** For one desk at home and another at work. Often with a number pad.\n- **16 inches, 1.8 kg and more.** For pictures, film and large tables, when it seldom leaves the house.\n\nPut the weight of the charger on top. One that charges over USB-C can be replaced anywhere, and a small travel charger is enough.\n\n## Memory and storage\n\n| What you do | Memory | Storage |\n|---|---|---|\n| Web, office, films | 16 GB | 512 GB |\n| Photographs, programming, many windows | 32 GB | 1 TB |\n| Film, virtual machines, large models | 32 GB and more | 1 TB and more |\n\nIn thin laptops the memory is usually soldered, so buy what you will need in the fourth year. Storage can often be replaced:\nif you must save, save there. Look for the words \"M.2 slot\" in the data sheet.\n\n## The display\n\nLook for at least 300 nits for work indoors, 400 or more if you sit by a window or on trains. A **matt** surface reflects less and is the\nbetter choice for work. For pictures, ask for 100 percent sRGB. A taller shape (16:10) shows more lines of a text than\n16:9 does. High resolution is pleasant but costs battery.\n\n## The processor\n\nFor office work, any processor of the middle class from the last two or three years is fast enough. A newer generation of a cheaper class often beats an\nolder one of a dearer class, so compare measurements of the exact model, not the name. You need a separate graphics chip for\ngames, for 3D, and for some film work, and for nothing else; it costs weight, noise and running time.\n\n## Battery and ports\n\nTake a third off the running time that the maker states. Check that the battery is screwed in rather than glued: after four years you will want a\nnew one. Count the ports that you use each week. Two USB-C, one USB-A and HDMI save you a bag of adapters.\n\n## Keyboard and layout\n\nIf you can, type a page on it. And check the layout before you order from abroad: an imported model can be cheap because its\nkeys are in the wrong places for you.\n\n## Where to start in this catalogue\n\nTo carry, look at the **Lumora Air 14** with 16 GB; with 32 GB, compare the **Novabyte Air 14** and the **Zephalo Air 14**. For long days at changing\ndesks, the **Novabyte Work 15** promises to run without a charger and has a matt display. The **Lumora Craft 16** is for those who want a large\ndisplay and a keyboard made for writing. Prices of one model differ by more than a hundred euros between shops, so compare the totals.",
                     *           "category": {
                     *             "id": "cat_n",
                     *             "slug": "laptops",
                     *             "name": "Laptops"
                     *           },
                     *           "products": [
                     *             "lumora-air-14-laptop-16-gb-512-gb",
                     *             "novabyte-air-14-laptop-32-gb-1-tb",
                     *             "lumora-craft-16-laptop-32-gb-1-tb",
                     *             "novabyte-work-15-laptop-32-gb-1-tb",
                     *             "zephalo-air-14-laptop-32-gb-1-tb"
                     *           ],
                     *           "publishedAt": "2026-10-05T00:00:00Z",
                     *           "updatedAt": "2026-11-28T23:36:40.433Z",
                     *           "url": "https://api.example.com/api/v1/articles?slug=how-to-choose-a-laptop"
                     *         }
                     *       ],
                     *       "page": {
                     *         "limit": 1,
                     *         "nextCursor": "YjIyNWVlNjlbIjIwMjYtMTAtMDVUMDA6MDA6MDAuMDAwWiIsIjYiXQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Article"][];
                        page: components["schemas"]["Page"];
                    };
                    /**
                     * @example id,slug,title,summary,body,category.id,category.slug,category.name,products,publishedAt,updatedAt,url
                     *     art_6,how-to-choose-a-laptop,How to choose a laptop,"Size, memory and display are with you for years, so settle them first. How much you need for which work, and where you can save.","A laptop is bought for about five years. What you can change later (a mouse, a second display, storage in the cloud) matters less
                     *     than what you cannot: the size, the display, the keyboard, and in most models the memory.
                     *
                     *     ## Size first
                     *
                     *     - **13 to 14 inches, about 1.2 to 1.4 kg.** For everyone who carries it each day. At a desk, connect a large display.
                     *     - **15 inches, about 1.6 to 1.8 kg.** For one desk at home and another at work. Often with a number pad.
                     *     - **16 inches, 1.8 kg and more.** For pictures, film and large tables, when it seldom leaves the house.
                     *
                     *     Put the weight of the charger on top. One that charges over USB-C can be replaced anywhere, and a small travel charger is enough.
                     *
                     *     ## Memory and storage
                     *
                     *     | What you do | Memory | Storage |
                     *     |---|---|---|
                     *     | Web, office, films | 16 GB | 512 GB |
                     *     | Photographs, programming, many windows | 32 GB | 1 TB |
                     *     | Film, virtual machines, large models | 32 GB and more | 1 TB and more |
                     *
                     *     In thin laptops the memory is usually soldered, so buy what you will need in the fourth year. Storage can often be replaced:
                     *     if you must save, save there. Look for the words ""M.2 slot"" in the data sheet.
                     *
                     *     ## The display
                     *
                     *     Look for at least 300 nits for work indoors, 400 or more if you sit by a window or on trains. A **matt** surface reflects less and is the
                     *     better choice for work. For pictures, ask for 100 percent sRGB. A taller shape (16:10) shows more lines of a text than
                     *     16:9 does. High resolution is pleasant but costs battery.
                     *
                     *     ## The processor
                     *
                     *     For office work, any processor of the middle class from the last two or three years is fast enough. A newer generation of a cheaper class often beats an
                     *     older one of a dearer class, so compare measurements of the exact model, not the name. You need a separate graphics chip for
                     *     games, for 3D, and for some film work, and for nothing else; it costs weight, noise and running time.
                     *
                     *     ## Battery and ports
                     *
                     *     Take a third off the running time that the maker states. Check that the battery is screwed in rather than glued: after four years you will want a
                     *     new one. Count the ports that you use each week. Two USB-C, one USB-A and HDMI save you a bag of adapters.
                     *
                     *     ## Keyboard and layout
                     *
                     *     If you can, type a page on it. And check the layout before you order from abroad: an imported model can be cheap because its
                     *     keys are in the wrong places for you.
                     *
                     *     ## Where to start in this catalogue
                     *
                     *     To carry, look at the **Lumora Air 14** with 16 GB; with 32 GB, compare the **Novabyte Air 14** and the **Zephalo Air 14**. For long days at changing
                     *     desks, the **Novabyte Work 15** promises to run without a charger and has a matt display. The **Lumora Craft 16** is for those who want a large
                     *     display and a keyboard made for writing. Prices of one model differ by more than a hundred euros between shops, so compare the totals.",cat_n,laptops,Laptops,lumora-air-14-laptop-16-gb-512-gb|novabyte-air-14-laptop-32-gb-1-tb|lumora-craft-16-laptop-32-gb-1-tb|novabyte-work-15-laptop-32-gb-1-tb|zephalo-air-14-laptop-32-gb-1-tb,2026-10-05T00:00:00Z,2026-11-28T23:36:40.433Z,https://api.example.com/api/v1/articles?slug=how-to-choose-a-laptop
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description The number of days up to and including today, in UTC.
                 * @example 30
                 */
                days?: number;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your usage */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "plan": "pro",
                     *         "quota": {
                     *           "limit": 100000,
                     *           "used": 20,
                     *           "remaining": 99980,
                     *           "resetsAt": "2026-12-01T00:00:00Z"
                     *         },
                     *         "requestsPerMinute": 600,
                     *         "days": [
                     *           {
                     *             "date": "2026-11-22",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-23",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-24",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-25",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-26",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-27",
                     *             "requests": 0
                     *           },
                     *           {
                     *             "date": "2026-11-28",
                     *             "requests": 20
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description The plan of the key. */
                            plan: components["schemas"]["PlanId"];
                            /** @description The quota of this month. */
                            quota: {
                                /** @description Requests a month; 0 is unlimited, as in `X-Quota-Limit`. */
                                limit: number;
                                /** @description Requests used in this month. */
                                used: number;
                                /** @description Requests left in this month, as in `X-Quota-Remaining`; 9007199254740991 if unlimited. */
                                remaining: number;
                                /**
                                 * Format: date-time
                                 * @description The time when the quota resets.
                                 */
                                resetsAt: string;
                            };
                            /** @description Requests that the key may make per minute. */
                            requestsPerMinute: number;
                            /** @description Every day up to and including today, oldest first. */
                            days: {
                                /**
                                 * Format: date
                                 * @description The day, in UTC.
                                 */
                                date: string;
                                /** @description Requests deducted on this day. */
                                requests: number;
                            }[];
                        };
                    };
                    /**
                     * @example date,requests
                     *     2026-11-22,0
                     *     2026-11-23,0
                     *     2026-11-24,0
                     *     2026-11-25,0
                     *     2026-11-26,0
                     *     2026-11-27,0
                     *     2026-11-28,20
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "graceHours": 48
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How many hours the former key still reads; 24 by default.
                     * @example 24
                     */
                    graceHours?: number;
                };
            };
        };
        responses: {
            /** @description Rotate your key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The opaque id of the key, which stays the same. */
                            id: string;
                            /** @description The name that the operator gave the key. */
                            name: string;
                            /** @description The plan of the key. */
                            plan: components["schemas"]["PlanId"];
                            /** @description The new key: store it now. */
                            key: string;
                            /**
                             * Format: date-time
                             * @description The time when the former key stops working.
                             */
                            formerKeysEnd: string;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your webhooks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        page: components["schemas"]["Page"];
                    };
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/prices",
                 *       "kinds": [
                 *         "new_low"
                 *       ],
                 *       "filter": {
                 *         "brand": "sonavia"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description An https URL on port 443 or 8443, at most 2048 characters, without a user and password.
                     * @example https://example.com/hooks/prices
                     */
                    url: string;
                    /** @description The kinds of messages. */
                    kinds: ("price_changed" | "price_below" | "new_low" | "low_equalled" | "back_in_stock" | "offer_withdrawn" | "product_found")[];
                    /** @description The changes that cause messages; all conditions must hold. All kinds but `product_found` need `product`, `category`, `brand` or `merchant`. */
                    filter?: {
                        /**
                         * @description One product: its slug, id, GTIN or ASIN.
                         * @example some-product
                         */
                        product?: string;
                        /**
                         * @description Products in this category or below it: its slug or id.
                         * @example headphones
                         */
                        category?: string;
                        /**
                         * @description Products of this brand: its slug or id.
                         * @example sonavia
                         */
                        brand?: string;
                        /**
                         * @description Changes by the feed of this shop: its slug or id.
                         * @example techtonne
                         */
                        merchant?: string;
                        /**
                         * @description For `price_changed`: the smallest change of the lowest price in percent, 0.01 to 1000.
                         * @example 5
                         */
                        minPercent?: number;
                        /**
                         * @description For `price_below`: the price to reach, in the currency of the service.
                         * @example 49.99
                         */
                        below?: number;
                        /** @description For `product_found`: GTINs and ASINs that no product has yet. */
                        codes?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Create a webhook */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Location: components["headers"]["Location"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"] & {
                            /** @description The secret that signs messages, which is only in the response that creates the webhook; absent in all others. */
                            secret?: string;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description An https URL on port 443 or 8443, at most 2048 characters, without a user and password.
                     * @example https://example.com/hooks/prices
                     */
                    url?: string;
                    /** @description The kinds of messages. */
                    kinds?: ("price_changed" | "price_below" | "new_low" | "low_equalled" | "back_in_stock" | "offer_withdrawn" | "product_found")[];
                    /** @description The changes that cause messages; all conditions must hold. All kinds but `product_found` need `product`, `category`, `brand` or `merchant`. */
                    filter?: {
                        /**
                         * @description One product: its slug, id, GTIN or ASIN.
                         * @example some-product
                         */
                        product?: string;
                        /**
                         * @description Products in this category or below it: its slug or id.
                         * @example headphones
                         */
                        category?: string;
                        /**
                         * @description Products of this brand: its slug or id.
                         * @example sonavia
                         */
                        brand?: string;
                        /**
                         * @description Changes by the feed of this shop: its slug or id.
                         * @example techtonne
                         */
                        merchant?: string;
                        /**
                         * @description For `price_changed`: the smallest change of the lowest price in percent, 0.01 to 1000.
                         * @example 5
                         */
                        minPercent?: number;
                        /**
                         * @description For `price_below`: the price to reach, in the currency of the service.
                         * @example 49.99
                         */
                        below?: number;
                        /** @description For `product_found`: GTINs and ASINs that no product has yet. */
                        codes?: string[];
                    };
                    /** @description Whether messages are sent. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Change a webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description The number of items per page.
                 * @example 20
                 */
                limit?: number;
                /** @description The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only. */
                cursor?: string;
            };
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries of a webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        page: components["schemas"]["Page"];
                    };
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Send a test message */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-31T08:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description All that were created at this RFC 3339 time or later.
                     * @example 2026-01-31T08:00:00Z
                     */
                    from?: string;
                    /** @description The ids of 1 to 100 deliveries. */
                    deliveries?: string[];
                };
            };
        };
        responses: {
            /** @description Send past messages again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The number of deliveries that are sent again. */
                            count: number;
                            /**
                             * Format: date-time
                             * @description The `from` that goes on with the deliveries that there was no room for; absent if there are none, or the replay was by `deliveries`.
                             */
                            nextFrom?: string;
                            /** @description The ids in `deliveries` that there was no room for, to be sent again in another minute; absent if there are none, or the replay was by `from`. */
                            remaining?: string[];
                        };
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotWithThisKey"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Plans */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "free",
                     *           "name": "Free",
                     *           "monthlyQuota": 100,
                     *           "priceEur": 0,
                     *           "description": "To try the service: 100 requests a month."
                     *         },
                     *         {
                     *           "id": "starter",
                     *           "name": "Starter",
                     *           "monthlyQuota": 10000,
                     *           "priceEur": 29,
                     *           "description": "For small sites and tools: 10,000 requests a month."
                     *         },
                     *         {
                     *           "id": "pro",
                     *           "name": "Pro",
                     *           "monthlyQuota": 100000,
                     *           "priceEur": 99,
                     *           "description": "For comparison sites, apps and repricers: 100,000 requests a month."
                     *         },
                     *         {
                     *           "id": "enterprise",
                     *           "name": "Enterprise",
                     *           "monthlyQuota": 0,
                     *           "priceEur": null,
                     *           "description": "Unlimited requests, with SLA and support; price on request."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Plan"][];
                    };
                    /**
                     * @example id,name,monthlyQuota,priceEur,description
                     *     free,Free,100,0,To try the service: 100 requests a month.
                     *     starter,Starter,10000,29,"For small sites and tools: 10,000 requests a month."
                     *     pro,Pro,100000,99,"For comparison sites, apps and repricers: 100,000 requests a month."
                     *     enterprise,Enterprise,0,,"Unlimited requests, with SLA and support; price on request."
                     */
                    "text/csv": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Description of the API in OpenAPI 3.1 */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLlmsText: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the client’s copy. A 304 response means that the copy is current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Overview for language models */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # Product Data API
                     *
                     *     > Product data and price comparison: send an EAN/GTIN or an ASIN, get the canonical product, every shop's current price (EUR), price statistics and availability. Search, filters, price history, statistics, categories, brands, merchants and guides over REST and GraphQL.
                     *
                     *     Authenticate with the header `x-api-key: <your key>`; the operator issues keys. Every response to an authenticated request has the headers `X-Quota-Remaining` (requests left this month) and `RateLimit` (requests left this minute). All requests but lookups of many products at once, those of webhooks and the rotation of a key are `GET` and return JSON with the member `data`; lists add `page.nextCursor`, to be sent back as `cursor`. Lists except changes, price histories, price statistics and price indices are also available as CSV with `Accept: text/csv`. Unknown values are omitted, never null.
                     *
                     *     ## Routes
                     *
                     *     - [GET /api/v1](https://api.example.com/api/v1): Links to everything the service offers. Also at `/` for clients that do not ask for HTML. Public and free.
                     *     - [GET /api/v1/lookup](https://api.example.com/api/v1/lookup?ean=4006381333931): The product with an identifier, its price statistics and the offers of all shops, cheapest first. Send exactly one of `ean` and `asin`. `Link` headers point to the product (`item`), its offers (`collection`) and its price history (`history`). Costs one request. Parameters: `ean`, `asin`.
                     *     - [POST /api/v1/lookups](https://api.example.com/api/v1/lookups): Exactly one result per entry, in the order of the entries. `result` is the `data` of `/api/v1/lookup`, but lists at most `offers` offers; without `offers` it lists all. If the results would list more than 10000 offers together, each lists only its cheapest. `priceStats` counts all offers in any case. An entry that cannot be read, or whose code can mean several products, has a `problem` and does not affect the others. If the quota has fewer requests left than entries, nothing is looked up and nothing is charged. Costs one request for each entry; a refused body costs one. Parameters: `identifiers`, `offers`.
                     *     - [GET /api/v1/resolve](https://api.example.com/api/v1/resolve?code=(01)04006381333931): Accepts EAN-8, UPC-A, UPC-E, EAN-13, GTIN-14, ISBN-10, ISBN-13, ISSN, ASIN, element strings such as `(01)04006381333931`, and GS1 Digital Links; blanks and hyphens are ignored. `readings` are the ways to read the code, `candidates` the products with one of them. A wrong check digit gives a `suggestion` and no reading. A code that can be read is answered 200, also without a product. Costs one request. Parameters: `code`.
                     *     - [GET /api/v1/products](https://api.example.com/api/v1/products?category=headphones&sort=price_asc&limit=2): A paged list of products. All filters must match; of several values for one filter, one must. One offer must meet all filters on offers: `merchant`, `availability`, `condition` and `inStock`. An unknown category, brand or merchant matches nothing. `/api/v1/facets` counts the values to filter by. Paging neither repeats nor skips a product that does not change. Costs one request. Parameters: `q`, `category`, `brand`, `merchant`, `minPrice`, `maxPrice`, `availability`, `condition`, `inStock`, `minDiscount`, `attr.color`, `attr.size`, `attr.material`, `attr.pattern`, `sort`, `limit`, `cursor`.
                     *     - [GET /api/v1/facets](https://api.example.com/api/v1/facets?category=headphones&maxPrice=200): How many products each category, brand, merchant, availability, condition, price range and attribute value has, largest first, at most 100 values each. Takes all filters of `/api/v1/products`; each facet ignores the filter by its own field. A count equals the `page.total` of `/api/v1/products` with this value for its field and the other filters unchanged: also at most 10000. For a minute after a change of more than 2000 products the counts may be older: then `asOf` is the moment that they show. A category counts its subcategories. Price ranges do not overlap: their ends are prices of products, for `minPrice` and `maxPrice`. Costs one request. Parameters: `q`, `category`, `brand`, `merchant`, `minPrice`, `maxPrice`, `availability`, `condition`, `inStock`, `minDiscount`, `attr.color`, `attr.size`, `attr.material`, `attr.pattern`.
                     *     - [GET /api/v1/products/{slug}](https://api.example.com/api/v1/products/markina-glow-line-highlighter-yellow): A product with all its details, offers and variants: the other products that the shop that founded it, or two shops, list in one group with it, such as other sizes and colours, with the attributes that differ (at most 100; of those that only one shop sells, the first five; groups of more than 100 products are left out). An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it. Costs one request. Parameters: `slug`.
                     *     - [GET /api/v1/products/{id}/offers](https://api.example.com/api/v1/products/markina-glow-line-highlighter-yellow/offers): The offers of all shops for a product, cheapest first, then by shop name. The list is not paged. `totalPrice` of an offer with `shippingKnown` false is without shipping, because the shop does not state it; `shipping=known` leaves such offers out. An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it. Costs one request. Parameters: `id`, `shipping`.
                     *     - [GET /api/v1/products/{id}/price-history](https://api.example.com/api/v1/products/markina-glow-line-highlighter-yellow/price-history?days=5): The price history of a product by day, week or month in UTC. A price applies until it changes or its offer is withdrawn: `min` and `max` cover all prices during the interval of a point, `avg` is weighted by time. Intervals without a price have no point. Weeks start on Monday. `inStock` is the share of the interval in which an offer was in stock, `minInStock` the lowest price then. `Accept: image/svg+xml` returns a chart. Costs one request. Parameters: `id`, `days`, `from`, `to`, `interval`, `merchant`, `condition`, `availability`.
                     *     - [GET /api/v1/products/{id}/price-stats](https://api.example.com/api/v1/products/aurelio-tempo-headphones-white/price-stats?condition=new&availability=in_stock): Figures about the lowest matching total price at each instant: the lowest and the highest price with their days and shops, minimum, maximum, average and median of the last 30, 90 and 365 days and of all time, how often the price fell, and how long the product was out of stock. Averages, medians and shares are weighted by time. Prices that are probably typing errors are left out and counted in `excluded`; `currentExcluded` names the cheapest offer if its price is one of them. The prices are those with stated shipping; only if none is known at the end of the time span, those without (`shippingKnown`). `windows` end with the time span, which bounds all other figures; it covers all time by default. Costs one request. Parameters: `id`, `condition`, `availability`, `merchant`, `shipping`, `days`, `from`, `to`.
                     *     - [GET /api/v1/price-index](https://api.example.com/api/v1/price-index?category=headphones&days=5): How prices have developed in a category with its subcategories, of a brand or at a shop: a chained Jevons index, 100 at the end of the first day. Each day compares the offers that were listed at the end of that day and of the day before, by their total prices, without prices that are probably typing errors. A point has the index at the end of the last day of its interval, with the numbers of products and offers that this day compares; intervals whose last day compares none have no point. Send exactly one of `category`, `brand` and `merchant`; an unknown one has no points. At most 1,000 points. Costs one request. Parameters: `category`, `brand`, `merchant`, `days`, `from`, `to`, `interval`.
                     *     - [GET /api/v1/merchant-comparison](https://api.example.com/api/v1/merchant-comparison?category=headphones): How the shops in a category with its subcategories, or of a brand, stand now: at how many of its products each is the cheapest, how far its prices are from the lowest, and how much it has out of stock. Only new offers count; prices are compared with shipping, those whose shipping is not stated after all others, among offers in stock, without prices that are probably typing errors. Most products first, at most 100 shops. Send exactly one of `category` and `brand`; an unknown one returns an empty list. Costs one request. Parameters: `category`, `brand`.
                     *     - [GET /api/v1/deals](https://api.example.com/api/v1/deals?minPercent=10&limit=2): The products whose lowest price in stock is lower than before, largest fall first. `price` is the lowest total price in stock for `condition` and `merchant`, `since` the time at which it began, `previous` the lowest such price in the 30 days before, and `percent` the fall from there. Prices with stated shipping are compared with each other; only where none is known, those without. Prices that are probably typing errors do not count. All filters must match; an unknown category, brand or merchant returns an empty list. A change of a price shows a few seconds after its import. Costs one request. Parameters: `minPercent`, `low`, `category`, `brand`, `merchant`, `condition`, `shipping`, `limit`, `cursor`.
                     *     - [GET /api/v1/changes](https://api.example.com/api/v1/changes?types=offer_created&limit=2): The stream of changes: one line for each offer and each product that an import changed, in the order of the commits, with the offer or the product before and after. Start with the cursor of an export, with `cursor=now`, or without a cursor at the oldest change that is kept; continue with `page.nextCursor`, which is present on an empty page, too. `page.hasMore` tells whether more can be read now. `wait` lets the request wait for the next change. A cursor is independent of the filters. An unknown category, brand, merchant or product matches nothing. Costs one request for each 100 changes begun, at least one; a page is shortened to what remains of the quota. Parameters: `types`, `merchant`, `category`, `brand`, `product`, `limit`, `cursor`, `wait`.
                     *     - [GET /api/v1/categories](https://api.example.com/api/v1/categories?root=audio&depth=2): The categories by name, each with its subcategories. `productCount` includes the products of subcategories. Costs one request. Parameters: `root`, `depth`, `nonEmpty`.
                     *     - [GET /api/v1/brands](https://api.example.com/api/v1/brands?q=so&limit=5): The brands by name, with their numbers of products. Costs one request. Parameters: `q`, `limit`, `cursor`.
                     *     - [GET /api/v1/merchants](https://api.example.com/api/v1/merchants?limit=3): The shops by name, with their numbers of current offers and the time of their newest feed. Costs one request. Parameters: `q`, `limit`, `cursor`.
                     *     - [GET /api/v1/search](https://api.example.com/api/v1/search?q=mark&limit=3): Suggestions for the text typed so far, best first: whole words, prefixes, other readings (quantities, words joined or split, singular for plural, synonyms), then words with one typing error; equal ones by the number of shops, then stock, then completeness. Works from the first letter; accents are ignored. A GTIN or an ASIN finds its product. Costs one request. Parameters: `q`, `limit`.
                     *     - [GET /api/v1/articles](https://api.example.com/api/v1/articles?limit=1): Guides in Markdown, newest first. Costs one request. Parameters: `q`, `category`, `slug`, `limit`, `cursor`.
                     *     - [GET /api/v1/usage](https://api.example.com/api/v1/usage?days=7): The plan of the key, its quota, its requests a minute, and the requests of each day up to and including today. A `quota.limit` of 0 means unlimited; `quota.remaining` is 9007199254740991 then. Free, at most 60 a minute. Parameters: `days`.
                     *     - [POST /api/v1/key/rotate](https://api.example.com/api/v1/key/rotate): Gives the key a new text, which is only in this response: store it. The former text works for `graceHours` more, and only reads: it rotates no key and changes no webhook. Plan, usage and webhooks stay. A key can have at most 10 texts in 24 hours, of which 5 may work at the same time. Free, at most 60 a minute. Parameters: `graceHours`.
                     *     - [GET /api/v1/webhooks](https://api.example.com/api/v1/webhooks?limit=2): The webhooks of the key, oldest first. Free, at most 60 a minute. Parameters: `limit`, `cursor`.
                     *     - [POST /api/v1/webhooks](https://api.example.com/api/v1/webhooks): Creates a webhook. `secret` is only in this response: store it, to verify the signatures of messages. The webhook is enabled once its receiver has confirmed the address by its answer to `webhook.verify`. A plan allows 1 (free), 10 (starter), 100 (pro) or 1000 (enterprise) webhooks. Free, at most 60 a minute. Parameters: `url`, `kinds`, `filter`.
                     *     - [GET /api/v1/webhooks/{id}](https://api.example.com/api/v1/webhooks/whk_1): One webhook of the key, with the reason if it is disabled. Free, at most 60 a minute. Parameters: `id`.
                     *     - [PATCH /api/v1/webhooks/{id}](https://api.example.com/api/v1/webhooks/whk_1): Changes the members that the body has. `filter` replaces the whole filter. Another `url` must be confirmed like that of a new webhook. `enabled: true` starts messages again, also after the service has disabled the webhook, and asks the receiver again to confirm an address that is not confirmed. Free, at most 60 a minute. Parameters: `id`, `url`, `kinds`, `filter`, `enabled`.
                     *     - [DELETE /api/v1/webhooks/{id}](https://api.example.com/api/v1/webhooks/whk_1): Deletes a webhook with its deliveries. Messages that still wait are not sent. Free, at most 60 a minute. Parameters: `id`.
                     *     - [GET /api/v1/webhooks/{id}/deliveries](https://api.example.com/api/v1/webhooks/whk_1/deliveries): The messages of the last 30 days, newest first, each with the result of its last attempt. Tests are kept for a day. Free, at most 60 a minute. Parameters: `id`, `limit`, `cursor`.
                     *     - [POST /api/v1/webhooks/{id}/test](https://api.example.com/api/v1/webhooks/whk_1/test): Sends an example message of the first kind, with `data.test` true, signed and retried like every other. The response is its delivery, which is still waiting. Free, at most 60 a minute. Parameters: `id`.
                     *     - [POST /api/v1/webhooks/{id}/replay](https://api.example.com/api/v1/webhooks/whk_1/replay): Sends past deliveries again, oldest first and at most 1000, or what the plan has left of the messages of this minute, with the same message ids. Send exactly one of `from` and `deliveries`. Messages that still wait are left alone, and so are tests, unless `deliveries` has them. If there was no room for all, go on with `nextFrom` as `from`, or send the ids in `remaining` again as `deliveries`. With `from`, the request counts as ten in the limits. Free, at most 60 a minute. Parameters: `id`, `from`, `deliveries`.
                     *     - [GET /api/v1/plans](https://api.example.com/api/v1/plans): The plans that keys are issued for. A `monthlyQuota` of 0 means unlimited; a `priceEur` of null means on request. Public and free.
                     *     - [GET /api/v1/openapi.json](https://api.example.com/api/v1/openapi.json): This description, for tools that generate clients or documentation. Public and free.
                     *     - [GET /llms.txt](https://api.example.com/llms.txt): An overview of the service and its use, as plain text following the llms.txt convention. Public and free.
                     *     - [GET /api/v1/exports/products](https://api.example.com/api/v1/exports/products?category=headphones): Every product that the filter selects, by id, as one JSON object per line; the last line has `end`. Prices are in the export of offers. Costs one request for each 100 lines begun, at least one. Parameters: `category`, `brand`, `merchant`, `minPrice`, `maxPrice`, `availability`, `after`, `cursor`.
                     *     - [GET /api/v1/exports/offers](https://api.example.com/api/v1/exports/offers?category=headphones&availability=in_stock): Every current offer that the filter selects, by id, as one JSON object per line; the last line has `end`. Costs one request for each 100 lines begun, at least one. Parameters: `category`, `brand`, `merchant`, `minPrice`, `maxPrice`, `availability`, `shipping`, `after`, `cursor`.
                     *     - [GET /api/v1/exports/history](https://api.example.com/api/v1/exports/history?category=headphones): Every recorded entry that the filter selects, by product, offer and time, as one JSON object per line; the last line has `end`. An entry holds until the next one of its offer at the product; `listed` is false where the offer ended. Costs one request for each 100 lines begun, at least one. Parameters: `category`, `brand`, `merchant`, `minPrice`, `maxPrice`, `availability`, `from`, `to`, `after`, `cursor`.
                     *
                     *     ## GraphQL
                     *
                     *     - [POST /graphql](https://api.example.com/graphql): The same data in one schema, which supports introspection; open it in a browser for GraphiQL. Example: `{"query": "{ lookup(ean: \"4006381333931\") { product { name } offers { merchantName totalPrice } } }"}`. Costs one request for each root field; `lookups(identifiers: [...])` costs one for each identifier.
                     *
                     *     ## Tools for agents
                     *
                     *     The same data is available over the Model Context Protocol: connect an MCP client to `https://api.example.com/mcp` (streamable HTTP) with the key in `x-api-key`, or as `Authorization: Bearer <your key>`. Each tool call costs one request, like its route.
                     *
                     *     - `look_up`: Use this first if you have a number: an EAN, GTIN, ISBN-13, ASIN, or a UPC with a 0 in front of its 12 digits. Returns the product, its price statistics, and the price in each shop, cheapest first. Send exactly one of `ean` and `asin`. Without a number, use `search` or `list_products`.
                     *     - `look_up_many`: Use this for several numbers at once, 1 to 100: send each as {"code": …}, whatever its kind. Returns one result per entry, in order, with the cheapest 5 offers; `offers` asks for more. Each entry costs one request.
                     *     - `resolve_code`: Use this for a code from a package or a scanner whose kind you do not know: UPC, EAN-8, ISBN-10, ISSN, an element string, a Digital Link. Returns the ways to read it and the products with them. For an EAN of 13 digits or an ASIN, `look_up` also returns the offers.
                     *     - `list_products`: Use this to choose among products by words, category, brand, shop, price range, availability, condition, discount and attributes such as colour, in the order that you want. Returns pages of products, each with its lowest and highest price, and what a kilogram, litre or other unit costs if the amount is known. `sort=unit_price_asc` with `category` compares packs of different sizes. `category`, `brand` and `merchant` take a slug from `search`, `list_categories`, `list_brands` or `list_merchants`, or several separated by commas; an unknown slug matches nothing. `get_facets` shows which values there are. For one product by its number, `look_up` is better.
                     *     - `get_facets`: Use this to see how a choice of products can be narrowed, before you list it: how many there are in each category, of each brand, at each shop, in each price range, and with each colour, size, material and pattern, for the same filters as `list_products`. Each facet ignores the filter by its own field, so it shows the alternatives. Then pass the values to `list_products`.
                     *     - `get_product`: Use this if you know a product’s slug or id and want all its details: description, attributes, all its numbers, its variants such as other sizes and colours with their lowest prices, and each shop’s offer with price, shipping and condition, when it was last seen, and for an announced reduction how far the price really is below the prior price (`reduction.percent`).
                     *     - `list_offers`: Use this to compare shops for a product whose slug or id you know: each offer with price, shipping, total price, whether the shipping is known, availability, condition, when it was last seen, the link to the shop, and an announced reduction with its prior price.
                     *     - `get_price_history`: Use this to see how the price of a product developed: the lowest, highest and average price by day, week or month, and the lowest ever. To judge whether the current price is good, `get_price_statistics` is better. `availability=in_stock` and `condition=new` leave out prices that nobody could pay or of used goods. For more than three months use `interval` week or month, which keeps the answer short.
                     *     - `get_price_statistics`: Use this to judge whether the current price is good: the lowest and highest price with their days and shops, average and median over 30, 90 and 365 days, the share of the last year in which it was cheaper, and how long the product was out of stock. Use `condition` new and `availability` in_stock for prices that a buyer could have paid. If `shippingKnown` is false, no shop states its shipping now, and all prices are without. For the course of the price use `get_price_history`.
                     *     - `get_price_index`: Use this to see how prices have developed in general, not of one product: an index of 100 on the first day for a category, a brand or a shop. Send exactly one of `category`, `brand` and `merchant`, a slug from `search`, `list_categories`, `list_brands` or `list_merchants`; an unknown slug has no points. For more than three months use `interval` week or month, which keeps the answer short. For one product use `get_price_history`.
                     *     - `compare_merchants`: Use this to compare shops as a whole instead of for one product: which is the cheapest most often in a category or of a brand, how far its prices are from the lowest, and how much it has out of stock. Send exactly one of `category` and `brand`, a slug from `search`, `list_categories` or `list_brands`. For one product use `list_offers`.
                     *     - `find_deals`: Use this to find bargains: products whose price fell, largest fall first, each with the offer, its price, the lowest price in the 30 days before, the fall in percent and since when. Narrow it with `category`, `brand` and `merchant`, which take slugs from `search` or the `list_…` tools, with `minPercent`, and with `low` to prices that are the lowest ever or for some time. For the history of a product’s price continue with `get_price_history`.
                     *     - `list_changes`: Use this to see what changed lately: prices, availability, new and withdrawn offers, and products, oldest first, each with the offer or the product `before` and `after`. Narrow it with `types` and with `product`, `merchant`, `category` or `brand`; without them it lists all changes of the shop feeds. Continue with `page.nextCursor`. For the prices of one product over time `get_price_history` is better.
                     *     - `list_categories`: Use this to find the slug of a category, or to see which kinds of goods exist. Start with `depth` 1, then use `root` to go deeper: the whole tree is large. `nonEmpty` leaves out categories without products.
                     *     - `list_brands`: Use this to find the slug of a brand by a prefix of its name, for the `brand` of other tools.
                     *     - `list_merchants`: Use this to find the slug of a shop by a prefix of its name, for the `merchant` of other tools.
                     *     - `search`: Use this if you have a name, or part of one: returns the products, brands and categories that match best, with their slugs. Typing errors are tolerated. For prices and filters continue with `list_products`; for one product with `get_product`.
                     *     - `list_articles`: Use this for advice rather than prices: guides in Markdown on how to choose and use a kind of product. Cite the guide’s `url` if you use its content.
                     *     - `get_usage`: Use this to see how many requests the key has left this month before many calls, and how many it has used on each day. Costs nothing.
                     *
                     *     ## Errors
                     *
                     *     Errors are `application/problem+json` (RFC 9457) with `code`, `detail` (what to do) and `parameter`. Not charged: 401, 402, 429 and 5xx.
                     *
                     *     - [invalid_parameter](https://api.example.com/docs/errors#invalid_parameter): 400, Invalid parameter.
                     *     - [operation_too_complex](https://api.example.com/docs/errors#operation_too_complex): 400, Operation too complex.
                     *     - [exactly_one_identifier](https://api.example.com/docs/errors#exactly_one_identifier): 400, Exactly one identifier is needed.
                     *     - [missing_api_key](https://api.example.com/docs/errors#missing_api_key): 401, API key missing.
                     *     - [invalid_api_key](https://api.example.com/docs/errors#invalid_api_key): 401, API key invalid.
                     *     - [quota_exhausted](https://api.example.com/docs/errors#quota_exhausted): 402, Monthly quota exhausted.
                     *     - [demo_key_refused](https://api.example.com/docs/errors#demo_key_refused): 403, Not with the demo key.
                     *     - [former_key_refused](https://api.example.com/docs/errors#former_key_refused): 403, Not with a former key.
                     *     - [origin_not_allowed](https://api.example.com/docs/errors#origin_not_allowed): 403, Origin not allowed.
                     *     - [introspection_disabled](https://api.example.com/docs/errors#introspection_disabled): 403, Introspection disabled.
                     *     - [untrusted_document](https://api.example.com/docs/errors#untrusted_document): 403, Document not trusted.
                     *     - [not_found](https://api.example.com/docs/errors#not_found): 404, Not found.
                     *     - [unknown_document](https://api.example.com/docs/errors#unknown_document): 404, Unknown document.
                     *     - [method_not_allowed](https://api.example.com/docs/errors#method_not_allowed): 405, Method not allowed.
                     *     - [request_timeout](https://api.example.com/docs/errors#request_timeout): 408, Request timeout.
                     *     - [too_many_rotations](https://api.example.com/docs/errors#too_many_rotations): 409, Too many rotations.
                     *     - [too_many_webhooks](https://api.example.com/docs/errors#too_many_webhooks): 409, Too many webhooks.
                     *     - [ambiguous_code](https://api.example.com/docs/errors#ambiguous_code): 409, Ambiguous code.
                     *     - [webhook_disabled](https://api.example.com/docs/errors#webhook_disabled): 409, Webhook disabled.
                     *     - [gone](https://api.example.com/docs/errors#gone): 410, Gone.
                     *     - [cursor_expired](https://api.example.com/docs/errors#cursor_expired): 410, Cursor expired.
                     *     - [body_too_large](https://api.example.com/docs/errors#body_too_large): 413, Request body too large.
                     *     - [uri_too_long](https://api.example.com/docs/errors#uri_too_long): 414, URL too long.
                     *     - [unsupported_media_type](https://api.example.com/docs/errors#unsupported_media_type): 415, Unsupported media type.
                     *     - [expectation_failed](https://api.example.com/docs/errors#expectation_failed): 417, Expectation failed.
                     *     - [rate_limited](https://api.example.com/docs/errors#rate_limited): 429, Rate limit exceeded.
                     *     - [too_many_polls](https://api.example.com/docs/errors#too_many_polls): 429, Too many long polls.
                     *     - [too_many_subscriptions](https://api.example.com/docs/errors#too_many_subscriptions): 429, Too many subscriptions.
                     *     - [too_many_exports](https://api.example.com/docs/errors#too_many_exports): 429, Too many exports.
                     *     - [headers_too_large](https://api.example.com/docs/errors#headers_too_large): 431, Header fields too large.
                     *     - [internal_error](https://api.example.com/docs/errors#internal_error): 500, Internal error.
                     *     - [unavailable](https://api.example.com/docs/errors#unavailable): 503, Service unavailable.
                     *
                     *     ## Plans
                     *
                     *     - free: 100 requests a month, 0 EUR a month.
                     *     - starter: 10000 requests a month, 29 EUR a month.
                     *     - pro: 100000 requests a month, 99 EUR a month.
                     *     - enterprise: unlimited requests, price on request.
                     *
                     *     ## Documentation
                     *
                     *     - [OpenAPI 3.1](https://api.example.com/api/v1/openapi.json): All routes, parameters, responses and errors, for tools.
                     *     - [Guide](https://api.example.com/docs): How to use the API, in prose.
                     *     - [Changes](https://api.example.com/docs/changes): How to keep a copy of the catalogue in step.
                     *     - [Exports](https://api.example.com/docs/exports): How to download everything, and resume.
                     *     - [Webhooks](https://api.example.com/docs/webhooks): How to be told of changes, and verify the messages.
                     *     - [Agents](https://api.example.com/docs/agents): How to connect an MCP client, and what the tools return.
                     *     - [Errors](https://api.example.com/docs/errors): Each error code and how to fix it.
                     */
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The client’s copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            414: components["responses"]["UriTooLong"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportProducts: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of a merchant with a current offer.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The minimum of the lowest total price.
                 * @example 10
                 */
                minPrice?: number;
                /**
                 * @description The maximum of the lowest total price.
                 * @example 99.99
                 */
                maxPrice?: number;
                /**
                 * @description At least one offer has this availability; with `merchant`, that merchant’s offer.
                 * @example in_stock
                 */
                availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                /** @description Resumes an export after the line with this id. Send `cursor`, too, and the same filter. */
                after?: string;
                /** @description The `Changes-Cursor` of the export that is resumed, which the response repeats. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Export all products */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Changes-Cursor": components["headers"]["Changes-Cursor"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitedOrExporting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportOffers: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of the merchant.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The minimum of the total price.
                 * @example 10
                 */
                minPrice?: number;
                /**
                 * @description The maximum of the total price.
                 * @example 99.99
                 */
                maxPrice?: number;
                /**
                 * @description The availability of the offer.
                 * @example in_stock
                 */
                availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                /**
                 * @description `known` leaves out offers whose shop does not state the shipping.
                 * @example known
                 */
                shipping?: "known";
                /** @description Resumes an export after the line with this id. Send `cursor`, too, and the same filter. */
                after?: string;
                /** @description The `Changes-Cursor` of the export that is resumed, which the response repeats. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Export all offers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Changes-Cursor": components["headers"]["Changes-Cursor"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitedOrExporting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportHistory: {
        parameters: {
            query?: {
                /**
                 * @description Slug or id of a category, including its subcategories.
                 * @example headphones
                 */
                category?: string;
                /**
                 * @description Slug or id of a brand.
                 * @example sonavia
                 */
                brand?: string;
                /**
                 * @description Slug or id of the merchant.
                 * @example techtonne
                 */
                merchant?: string;
                /**
                 * @description The minimum of the total price; entries without one are left out.
                 * @example 10
                 */
                minPrice?: number;
                /**
                 * @description The maximum of the total price; entries without one are left out.
                 * @example 99.99
                 */
                maxPrice?: number;
                /**
                 * @description The recorded availability.
                 * @example in_stock
                 */
                availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                /**
                 * @description The first day of the entries, in UTC.
                 * @example 2030-01-01
                 */
                from?: string;
                /**
                 * @description The last day of the entries, in UTC.
                 * @example 2030-01-31
                 */
                to?: string;
                /** @description Resumes an export after the line with this id. Send `cursor`, too, and the same filter. */
                after?: string;
                /** @description The `Changes-Cursor` of the export that is resumed, which the response repeats. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Export the price history */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Changes-Cursor": components["headers"]["Changes-Cursor"];
                    "X-Plan": components["headers"]["X-Plan"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExhausted"];
            403: components["responses"]["NotWithThisKey"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["CursorExpired"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitedOrExporting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receivePriceChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "price_changed",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "previousMin": 24.99,
                 *         "min": 19.99,
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "price_changed";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description The lowest total price of a product rose or fell, by at least `minPercent` if that is set. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min?: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver?: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant?: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer?: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePriceBelow: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "price_below",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "previousMin": 24.99,
                 *         "min": 19.99,
                 *         "below": 20,
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "price_below";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description The lowest total price of a product fell to `below` or less, from a higher price or from none. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver?: number;
                        /** @description The `below` of the webhook’s filter. */
                        below: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant?: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer?: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNewLow: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "new_low",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "previousMin": 24.99,
                 *         "min": 19.99,
                 *         "lowestEver": 19.99,
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "new_low";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description The lowest total price of a product is lower than ever before. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant?: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer?: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLowEqualled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "low_equalled",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "previousMin": 24.99,
                 *         "min": 19.99,
                 *         "lowestEver": 19.99,
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "low_equalled";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description The lowest total price of a product fell to the lowest that it ever was. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant?: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer?: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBackInStock: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "back_in_stock",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "merchant": {
                 *           "id": "mer_1",
                 *           "slug": "a-shop",
                 *           "name": "A Shop"
                 *         },
                 *         "offer": {
                 *           "id": "off_1",
                 *           "totalPrice": 19.99,
                 *           "shippingKnown": true,
                 *           "availability": "in_stock",
                 *           "condition": "new",
                 *           "url": "https://api.example.com/go/off_1"
                 *         },
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "back_in_stock";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description An offer is in stock that was not. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min?: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver?: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOfferWithdrawn: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "offer_withdrawn",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "merchant": {
                 *           "id": "mer_1",
                 *           "slug": "a-shop",
                 *           "name": "A Shop"
                 *         },
                 *         "offer": {
                 *           "id": "off_1",
                 *           "totalPrice": 19.99,
                 *           "shippingKnown": true,
                 *           "availability": "in_stock",
                 *           "condition": "new",
                 *           "url": "https://api.example.com/go/off_1"
                 *         },
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "offer_withdrawn";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description A shop no longer offers a product. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min?: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver?: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code?: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveProductFound: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "product_found",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "product": {
                 *           "id": "prd_1",
                 *           "slug": "a-product",
                 *           "name": "A product",
                 *           "url": "https://api.example.com/products/a-product"
                 *         },
                 *         "currency": "EUR",
                 *         "code": "4006381333931",
                 *         "at": "2026-01-31T08:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "product_found";
                    /**
                     * Format: date-time
                     * @description The time at which the message was made; the same in each attempt.
                     */
                    timestamp: string;
                    /** @description A GTIN or ASIN in `codes` that no product had is now known. */
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description The product. */
                        product: {
                            /** @description The id of the product. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * Format: uri
                             * @description The URL of its page.
                             */
                            url: string;
                        };
                        /** @description The currency of all amounts, ISO 4217. */
                        currency: string;
                        /** @description The lowest total price before the change; absent if no offer was listed. */
                        previousMin?: number;
                        /** @description The lowest total price after the change; absent if no offer is left. */
                        min?: number;
                        /** @description The lowest total price ever, with this change; absent if it does not matter here. */
                        lowestEver?: number;
                        /** @description The `below` of the webhook’s filter. */
                        below?: number;
                        /** @description The shop whose feed caused the message; absent if an operator did. */
                        merchant?: {
                            /** @description The id of the shop. */
                            id: string;
                            /** @description Its slug. */
                            slug: string;
                            /** @description Its name. */
                            name: string;
                        };
                        /** @description The offer that changed, after the change. */
                        offer?: {
                            /** @description The id of the offer. */
                            id: string;
                            /** @description The price with shipping, if the shop states it. */
                            totalPrice: number;
                            /** @description Whether the shop states the shipping. */
                            shippingKnown: boolean;
                            /**
                             * @description The availability after the change.
                             * @enum {string}
                             */
                            availability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
                            /**
                             * @description The condition of the goods.
                             * @enum {string}
                             */
                            condition: "new" | "refurbished" | "used";
                            /**
                             * Format: uri
                             * @description The link to the shop.
                             */
                            url: string;
                        };
                        /** @description The entry of `codes` that is now known: a GTIN or an ASIN. */
                        code: string;
                        /** @description The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests. */
                        cursor?: string;
                        /**
                         * Format: date-time
                         * @description The time at which the change was committed.
                         */
                        at: string;
                        /**
                         * Format: date-time
                         * @description The time in the shop’s feed; absent in tests.
                         */
                        observedAt?: string;
                        /**
                         * @description Present in messages that were asked for as a test.
                         * @constant
                         */
                        test?: true;
                    };
                };
            };
        };
        responses: {
            /** @description Any status from 200 to 299: the message was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver wants no more messages: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookVerify: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message: the same in every attempt, so that repeats are recognised. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.verify",
                 *       "timestamp": "2026-01-31T08:00:00Z",
                 *       "data": {
                 *         "webhookId": "whk_1",
                 *         "challenge": "yfQ0mVxT1kE4bN7rZ2hLwS9cUaJ8dGpi"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The kind of the message.
                     * @constant
                     */
                    type: "webhook.verify";
                    /**
                     * Format: date-time
                     * @description The time of the attempt.
                     */
                    timestamp: string;
                    data: {
                        /** @description The id of the webhook. */
                        webhookId: string;
                        /** @description A random text: answer 200 with this text as the whole body, within ten seconds. */
                        challenge: string;
                    };
                };
            };
        };
        responses: {
            /** @description The address is confirmed: the body is the text of `data.challenge`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example yfQ0mVxT1kE4bN7rZ2hLwS9cUaJ8dGpi */
                    "text/plain": string;
                };
            };
        };
    };
}
