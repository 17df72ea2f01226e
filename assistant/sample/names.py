"""Names in the sample company: people, towns, goods. All invented, except the towns. No logic here."""

from __future__ import annotations

# Words, separated by white space.
GIVEN_NAMES = """
Ada Alma Anton Arne Astrid Bela Birte Bruno Carla Casper Clara Cosima Dario Della Edda Elias Elin Emil Enno Esther
Fabian Femke Finn Flora Frida Gesa Greta Hanna Henrik Hilda Ida Ilse Imke Ines Ivo Jannis Jette Jonas Josefa Juri Kaja
Karl Katja Kilian Lars Lea Lena Levi Lilo Linus Lotte Luca Magda Maja Malte Marit Matteo Mila Mira Moritz Nele Nico
Nora Ole Oskar Pauline Pelle Petra Quirin Rieke Romy Rosa Ruben Selma Silas Sina Sophie Sven Tara Theo Thea Tilda Till
Toni Ulla Valentin Vera Viktor Wanda Wim Yara Yorick Zoe
"""

FAMILY_NAMES = """
Achterberg Albers Amsel Bachmann Behrens Birkner Bloem Brandt Buchholz Carstens Dallmann Dorn Ebeling Eichner Falkner
Fenske Förster Gerlach Grothe Hagedorn Hainbuch Harms Hellweg Holtz Immermann Janssen Jessen Kaltenbach Kestner
Kirchner Kolbe Kronau Lindqvist Lohmann Lorenz Mahler Marquardt Mertens Mohn Nagel Neuhaus Nordmann Oberländer
Osterkamp Paulsen Petri Quast Rademaker Reinholt Ritter Rosenow Sander Schilling Seeberg Sommerfeld Steenbock Tannert
Thielen Uhland Vahlen Volkers Wagenfeld Weidner Westphal Wieland Winterstein Zeidler Zollner
"""

COMPANY_WORDS = """
Aurelia Bergkamm Blauhafen Borealis Distelhof Elbwind Falkenau Feldspat Goldammer Hafenblick Heidekraut Kiefernhof
Kobalt Kranich Lindenhof Marschland Meridian Mühlbach Nordlicht Ostwind Quellgrund Rotbuche Salzgarten Silberdistel
Steinbeck Tidewater Uferpark Vierlinden Weitblick Zinnober
"""

BUSINESS_FORMS = """
Bakery Bookshop Café Dental Florist Gallery Guesthouse Kindergarten Kitchen Law Office Practice Studio Workshop
"""

CORPORATE_FORMS: tuple[str, ...] = ("Hotels AG", "Logistics GmbH", "Energy AG", "Clinics GmbH", "Campus GmbH")

REGIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("North", "Jette Harms", ("Hamburg", "Bremen", "Kiel", "Hannover")),
    ("East", "Theo Winterstein", ("Berlin", "Leipzig", "Dresden", "Rostock")),
    ("South", "Clara Hagedorn", ("Munich", "Stuttgart", "Nuremberg", "Freiburg")),
    ("West", "Ruben Kestner", ("Cologne", "Essen", "Münster", "Aachen")),
    ("Central", "Marit Sommerfeld", ("Frankfurt", "Kassel", "Erfurt", "Würzburg")),
)
"""Name, manager and towns of each region; every town has a store, the first of each region two."""

REGION_WEIGHTS: tuple[float, ...] = (0.22, 0.21, 0.23, 0.20, 0.14)

CATEGORIES: tuple[tuple[str, str, float, float, float, tuple[str, ...]], ...] = (
    # name, department, share of the lines, typical price, cost share of the price, kinds of goods
    ("Furniture", "Home", 0.13, 180.0, 0.60, ("Armchair", "Bookcase", "Desk", "Dining Table", "Sideboard", "Stool")),
    ("Kitchen", "Home", 0.20, 34.0, 0.52, ("Casserole", "Chopping Board", "Kettle", "Knife Set", "Mixing Bowl", "Pan")),
    ("Lighting", "Home", 0.11, 62.0, 0.50, ("Ceiling Lamp", "Desk Lamp", "Floor Lamp", "Lantern", "Wall Light")),
    ("Textiles", "Home", 0.16, 42.0, 0.47, ("Blanket", "Curtain", "Cushion", "Duvet", "Rug", "Towel Set")),
    ("Storage", "Home", 0.11, 28.0, 0.49, ("Basket", "Box Set", "Coat Rack", "Drawer Unit", "Shelf")),
    ("Garden", "Outdoor", 0.12, 74.0, 0.57, ("Bench", "Fire Bowl", "Parasol", "Planter", "Sun Lounger", "Trellis")),
    ("Smart Home", "Technology", 0.06, 96.0, 0.66, ("Door Sensor", "Doorbell", "Hub", "Smart Plug", "Thermostat")),
    ("Stationery", "Office", 0.11, 15.0, 0.44, ("Calendar", "Fountain Pen", "Notebook", "Paper Set", "Pencil Case")),
)

PRODUCT_LINES: tuple[str, ...] = (
    "Alba", "Birk", "Corvo", "Duna", "Esker", "Fjord", "Galen", "Halm", "Isar", "Juno", "Kelp", "Lund", "Moor", "Nord",
    "Oslo", "Pino", "Quarz", "Rive", "Sund", "Talo", "Ulme", "Vela", "Wald", "Yttra",
)  # fmt: skip

RETURN_REASONS: tuple[str, ...] = ("changed mind", "damaged", "wrong item", "faulty", "arrived late")
TICKET_TOPICS: tuple[str, ...] = ("delivery", "billing", "product question", "return", "account")
ORDER_CHANNELS: tuple[str, ...] = ("store", "online", "phone")
MARKETING_CHANNELS: tuple[str, ...] = ("search", "social", "email", "print", "radio")
SEGMENTS: tuple[str, ...] = ("consumer", "small business", "corporate")
