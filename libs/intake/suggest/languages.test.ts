import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { byLines, type Made, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

const facts = (made: Made) =>
  ofType(made, "round").map((round) => [
    round["announced_date"],
    round["amount_usd"],
    dealTypes().find(String(round["deal_type"])),
  ]);

test.each<[string, string[], unknown[]]>([
  [
    "Korean",
    [
      "회사,날짜,투자금,라운드,투자자",
      "가나,2021년 1월 13일,30억원,시리즈A,다라",
      "마바,2021년 1월 14일,500만원,시드,사아",
    ],
    [
      ["2021-01-13", 30e8, "series_a"],
      ["2021-01-14", 5e6, "seed"],
    ],
  ],
  [
    "Japanese",
    [
      "会社名,日付,調達額,ラウンド,投資家",
      "青空,2021年3月5日,3億円,シリーズA,東京VC",
      "山田,2021年3月6日,5000万円,シード,大阪VC",
    ],
    [
      ["2021-03-05", 3e8, "series_a"],
      ["2021-03-06", 5e7, "seed"],
    ],
  ],
  [
    "Chinese",
    [
      "公司,融资时间,融资金额,轮次,投资方",
      "蓝鲸,2021-01-13,1.5亿元人民币,A+轮,红杉",
      "云海,2021-01-15,300万元人民币,天使轮,北山",
    ],
    [
      ["2021-01-13", 1.5e8, "series_a"],
      ["2021-01-15", 3e6, "angel"],
    ],
  ],
  [
    "French",
    ["Société;Date;Montant;Tour", "Étoile;05/03/2021;1,2 Md€;Série B", "Lune;25/03/2021;1,5 million d'euros;Amorçage"],
    [
      ["2021-03-05", 1.2e9, "series_b"],
      ["2021-03-25", 1.5e6, "seed"],
    ],
  ],
  [
    "Portuguese",
    ["Empresa;Data;Valor;Rodada", "Azul;13/01/2021;R$ 1,2 bilhão;Série A", "Sol;14/01/2021;R$ 2,5 milhões;Semente"],
    [
      ["2021-01-13", 1.2e9, "series_a"],
      ["2021-01-14", 2.5e6, "seed"],
    ],
  ],
  [
    "Portuguese words",
    [
      "Nome da empresa;Data;Valor;Tipo de rodada",
      "Azul;13/01/2021;R$ 2,5 mi;Série A",
      "Sol;14/01/2021;R$ 800 mil;Semente",
    ],
    [
      ["2021-01-13", 2.5e6, "series_a"],
      ["2021-01-14", 8e5, "seed"],
    ],
  ],
  [
    "Polish",
    ["Spółka;Data;Kwota;Runda", "Gwiazda;13.01.2021;12 mln zł;Seria A", "Wisła;14.01.2021;500 tys. zł;Seed+"],
    [
      ["2021-01-13", 12e6, "series_a"],
      ["2021-01-14", 5e5, "seed"],
    ],
  ],
  [
    "Turkish",
    ["Şirket;Tarih;Tutar;Tur", "Yıldız;13.01.2021;12 milyon TL;Seri A", "Ay;14.01.2021;1,5 milyon TL;Tohum"],
    [
      ["2021-01-13", 12e6, "series_a"],
      ["2021-01-14", 1.5e6, "seed"],
    ],
  ],
  [
    "Italian",
    [
      "Azienda;Data;Importo;Round",
      "Stella;13 gennaio 2021;12 milioni di euro;Serie A",
      "Luna;14 febbraio 2021;1,5 mln €;Seed",
    ],
    [
      ["2021-01-13", 12e6, "series_a"],
      ["2021-02-14", 1.5e6, "seed"],
    ],
  ],
  [
    "Dutch",
    ["Bedrijf;Datum;Bedrag;Ronde", "Ster;13 mei 2021;€ 12 miljoen;Series A", "Maan;2 juni 2021;€ 500.000;Seed"],
    [
      ["2021-05-13", 12e6, "series_a"],
      ["2021-06-02", 5e5, "seed"],
    ],
  ],
  [
    "Korean, spoken of as investments",
    ["회사명,투자일,투자금액,투자단계", "가나,2021. 1. 13.,30억원,시리즈 A", "마바,2021. 2. 2.,5억원,시드"],
    [
      ["2021-01-13", 3e9, "series_a"],
      ["2021-02-02", 5e8, "seed"],
    ],
  ],
  [
    "traditional Chinese",
    ["公司名稱,國家,日期,金額（美元）,輪次", "藍鯨,台灣,2021-01-13,12000000,A輪", "雲海,香港,2021-01-14,500000,種子輪"],
    [
      ["2021-01-13", 12e6, "series_a"],
      ["2021-01-14", 5e5, "seed"],
    ],
  ],
  [
    "weeks",
    ["Company,Week,Raise,Round", "A,2021-W12,$1M,Seed", "B,2021-W13-3,$2M,Series A"],
    [
      ["2021-03-22", 1e6, "seed"],
      ["2021-03-31", 2e6, "series_a"],
    ],
  ],
])("%s", async (_, lines, expected) => {
  const made = await byLines(lines, { rates: "1", amount_currency: "USD" });
  expect([questionsOf(made), made.refused, facts(made)]).toEqual([[], [], expected]);
});
