import { countryIn } from "../mapping/country.ts";
import { COMPANY } from "./name-columns.ts";
import { isUrl, mostlyWords, type Recogniser, shareOf } from "./recogniser.ts";
import type { Column } from "./roles.ts";

const STATES_ONLY = new Set("CT DC FL HI IA KS ND NH NJ NV NY OH OK OR RI TX UT VT WA WI WV WY".split(" "));
/** Codes of states that are codes of countries, too. */
const STATES = new Set(
  "AL AK AZ AR CA CO DE GA ID IL IN KY LA MA MD ME MI MN MO MS MT NC NE NM PA SC SD TN VA".split(" "),
);
/** In a column of places, such as `location`. */
const COUNTRIES_FROM = 0.9;
const isStateOnly = (text: string) => STATES_ONLY.has(text);

const PART_OF_WORLD =
  /^(?:(?:north|south|latin|central) america|americas|europe|asia|africa|oceania|middle east|emea|apac|latam|mena|dach|nordics)$/i;
const NAMED_COUNTRY = /country|land|pa[iy]s/;

/** Whether a column has nothing but codes that are those of states and of countries, and its name does not tell which. */
export const mayBeStates = ({ texts, key }: Column): boolean =>
  !NAMED_COUNTRY.test(key) && texts.length > 0 && texts.every((text) => STATES.has(text));

/** Columns of places. */
export const PLACE_COLUMNS = {
  country: {
    names: [
      new RegExp(`^${COMPANY}-country`),
      /^(?!.*investor).*country|^(?:land|staat|pays|pais|paese|kraj|maa|страна|国家|國家|国|국가)(?:-|$)/,
      /^(?:hq|nation|location|headquarters?|place|region|geography|market)$/,
    ],
    fits: ({ texts, key }) => {
      const isCountry = NAMED_COUNTRY.test(key);
      const share = texts.some(isStateOnly) ? 0 : shareOf(texts, (text) => countryIn(text) !== undefined);
      // A column of places may hold some countries, and Georgia is a state, too.
      return share < COUNTRIES_FROM && !isCountry && /^[a-z]+$/.test(key) ? 0 : share;
    },
  },
  city: {
    names: [
      new RegExp(`^${COMPANY}-city`),
      new RegExp(`^${COMPANY}-(?:location|hq|head-?quarters?)`),
      /^(?:city|stadt|ort|sitz|ville|ciudad|cidade|citta|miasto|stad|by|город|城市|都市|所在城市|所在地|도시|firmensitz|standort)$/,
      /^(?!.*investor).*city/,
      /^(?:location|head-?quarters?|hq|place|town|地区|地点)|post-town$/,
    ],
    fits: ({ texts }) => shareOf(texts, (text) => /\p{L}/u.test(text) && !isUrl(text) && !/^[A-Z]{2}$/.test(text)),
  },
  region: {
    names: [new RegExp(`^${COMPANY}-region`), /^region$/],
    // A region stands in for a missing city; EMEA cannot.
    fits: (column) => (column.texts.some((text) => PART_OF_WORLD.test(text)) ? 0 : mostlyWords(column)),
  },
} satisfies Record<string, Recogniser>;
