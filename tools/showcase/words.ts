/** The parts of the names and places of the fictional companies. */

/** 30 countries with cities, the most frequent first. */
export const PLACES: readonly (readonly [country: string, ...cities: string[]])[] = [
  ["US", "San Francisco", "New York", "Austin", "Boston"],
  ["GB", "London", "Manchester", "Edinburgh"],
  ["DE", "Berlin", "Munich", "Hamburg"],
  ["IN", "Bengaluru", "Mumbai", "Delhi"],
  ["FR", "Paris", "Lyon"],
  ["CA", "Toronto", "Vancouver", "Montréal"],
  ["IL", "Tel Aviv", "Haifa"],
  ["SE", "Stockholm", "Gothenburg"],
  ["NL", "Amsterdam", "Utrecht"],
  ["BR", "São Paulo", "Rio de Janeiro"],
  ["ES", "Madrid", "Barcelona"],
  ["SG", "Singapore"],
  ["AU", "Sydney", "Melbourne"],
  ["CH", "Zürich", "Lausanne"],
  ["IE", "Dublin", "Cork"],
  ["JP", "Tokyo", "Osaka"],
  ["KR", "Seoul"],
  ["FI", "Helsinki"],
  ["DK", "Copenhagen"],
  ["NO", "Oslo"],
  ["EE", "Tallinn"],
  ["PL", "Warsaw", "Kraków"],
  ["PT", "Lisbon", "Porto"],
  ["IT", "Milan", "Turin"],
  ["AT", "Vienna"],
  ["MX", "Mexico City", "Monterrey"],
  ["AR", "Buenos Aires"],
  ["NG", "Lagos"],
  ["KE", "Nairobi"],
  ["AE", "Dubai"],
];

/** First and second halves of made-up names; a company has one of each, and no two have both in common. */
export const STEMS =
  "Alder Birch Cinder Dapple Ember Fennel Garnet Hazel Indigo Juniper Kestrel Larch Marrow Nettle Ochre Pebble Quill Rowan Sorrel Thistle Umber Velvet Willow Yarrow Zephyr".split(
    " ",
  );
export const ENDINGS = "brook crest dale fen gate haven loom mere nook perch quay reach spire tarn vale wharf".split(
  " ",
);

/** Category, what a name of it ends with, and technologies that a company of it is likely to use. */
export const CATEGORIES: readonly (readonly [category: string, suffix: string, ...technologies: string[]])[] = [
  ["software", "Software", "Node.js", "TypeScript", "React"],
  ["fintech", "Finance", "Java", "Kotlin", "Kafka"],
  ["payments", "Pay", "Go", "PostgreSQL", "Redis"],
  ["biotech", "Bio", "Python", "R", "PyTorch"],
  ["health", "Health", "Python", "PostgreSQL", "React Native"],
  ["analytics", "Analytics", "Python", "Spark", "ClickHouse"],
  ["security", "Security", "Rust", "Go", "Elasticsearch"],
  ["robotics", "Robotics", "C++", "Python", "TensorFlow"],
  ["ecommerce", "Commerce", "PHP", "MySQL", "Redis"],
  ["education", "Learning", "Ruby on Rails", "PostgreSQL", "Vue.js"],
  ["games_video", "Games", "C#", "C++", "Redis"],
  ["mobile", "Mobile", "Swift", "Kotlin", "Flutter"],
  ["cleantech", "Energy", "Python", "TimescaleDB", "Grafana"],
  ["transportation", "Logistics", "Go", "PostGIS", "Kafka"],
  ["travel", "Travel", "Node.js", "MongoDB", "GraphQL"],
];

/** Technologies that any company may use besides. */
export const TECHNOLOGIES =
  "PostgreSQL,Docker,Kubernetes,Terraform,Prometheus,Grafana,Redis,JavaScript,nginx,GraphQL,Node.js,TypeScript,Python,Go,LangChain,Hugging Face".split(
    ",",
  );

/** Names of the fictional investors, without what kind of firm they are. */
export const INVESTORS =
  "Amberlight Bellwater Copperfield Driftstone Eastmoor Foxglove Greywater Harrowgate Ironbark Jaspermoor Kingfisher Lanternhill Moonraker Nightjar Oakhollow Pinewatch Quartermoon Ravenscar Saltmarsh Tidewater Underhill Vantagepoint Westering Yellowhammer".split(
    " ",
  );
/** A kind as in records, and what the name of such a firm ends with. */
export const INVESTOR_KINDS: readonly (readonly [kind: string, suffix: string])[] = [
  ["venture", "Ventures"],
  ["venture", "Capital"],
  ["accelerator", "Labs"],
  ["angel_group", "Angels"],
  ["corporate", "Strategic Partners"],
  ["growth", "Growth Partners"],
];
